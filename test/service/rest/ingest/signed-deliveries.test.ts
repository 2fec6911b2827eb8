import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { waitUntil } from '../../../support/database/test-jobs.js';
import {
  anInboundTap,
  anIngestService,
  type InboundTap,
  pushRecords,
  SENDER_SECRET,
  signedBodyHeaders,
  signedHeaders,
  storedRecords,
} from '../../../support/ingest/pushed-taps.js';
import { anInboundOffer } from '../../../support/operations/connection-calls.js';
import { queryField } from '../../../support/service/callers.js';

const service = await anIngestService({ JOBS: 'on', INGEST_FLUSH_SECONDS: '1' });
const editor = service.as('editor');
let tap: InboundTap;
beforeAll(async () => {
  tap = await anInboundTap(editor, 'signed');
});

const BODY = '{"id":1}';
const statusOf = async (headers: Record<string, string>, body: string | Buffer = BODY): Promise<number> =>
  (await pushRecords(service, tap.token, body, headers)).status;

describe('a tap whose senders sign', () => {
  it('accepts only signed deliveries', async () => {
    expect(await statusOf(signedHeaders(BODY, 'msg-1'))).toBe(202);
    expect(await statusOf({})).toBe(401);
    expect(await statusOf(signedHeaders(BODY, 'msg-2', { secret: 'another' }))).toBe(401);
    expect(await statusOf(signedHeaders(BODY, 'msg-3'), '{"id":2}')).toBe(401);
    expect(await statusOf(signedHeaders(BODY, 'msg-4', { at: Date.now() - 301_000 }))).toBe(401);
    expect(await statusOf({ ...signedHeaders(BODY, 'msg-5'), 'x-delivery': 'msg-6' })).toBe(401);
  });

  it.each([
    ['behind', -2],
    ['ahead of', 2],
  ])('uses the database clock, even if the clock of the process is %s the database clock', async (_, days) => {
    const signature = signedHeaders(BODY, `clock${days}`);
    const unsigned = await anInboundTap(editor, 'open');
    const key = { 'idempotency-key': 'k' };
    const wrong = Date.now() + days * 86_400_000;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(wrong);
    const replies = [
      await pushRecords(service, tap.token, BODY, signature),
      await pushRecords(service, tap.token, BODY, signature),
      await pushRecords(service, unsigned.token, BODY, key),
      await pushRecords(service, unsigned.token, BODY, key),
    ];
    const early = await statusOf(signedHeaders(BODY, 'of-that-time', { at: wrong }));
    clock.mockRestore();
    expect(replies.map(({ body }) => body.data?.accepted)).toEqual([1, 0, 1, 0]);
    expect(early).toBe(401);
  });

  it('returns the same response for a wrong signature as for a wrong token', async () => {
    const [forged, unknown] = [
      await pushRecords(service, tap.token, BODY),
      await pushRecords(service, 'wit_unknown', BODY),
    ];
    expect([forged.status, forged.text]).toEqual([unknown.status, unknown.text]);
    const names = [forged, unknown].map(({ headers }) => [...headers.keys()].sort());
    expect(names[0]).toEqual(names[1]);
  });

  it('parses the body only after the sender is verified', async () => {
    const bytes = Buffer.from('{"name":"\xff"}', 'latin1');
    expect(await statusOf(signedHeaders(bytes, 'raw-1'), bytes)).toBe(400);
    expect(await statusOf({}, bytes)).toBe(401);
  });

  it('identifies deliveries by the signed id and ignores unsigned headers', async () => {
    const again = await pushRecords(service, tap.token, BODY, signedHeaders(BODY, 'msg-1'));
    expect(again.body.data).toMatchObject({ accepted: 0, duplicates: 1 });
    const other = await pushRecords(service, tap.token, BODY, {
      ...signedHeaders(BODY, 'msg-7'),
      'idempotency-key': 'k',
    });
    const keyed = await pushRecords(service, tap.token, BODY, {
      ...signedHeaders(BODY, 'msg-8'),
      'idempotency-key': 'k',
    });
    expect([other, keyed].map(({ body }) => body.data.accepted)).toEqual([1, 1]);
  });

  it('identifies deliveries without an id by the signed body', async () => {
    const { token } = await anInboundTap(editor, 'body');
    const replies = [
      await pushRecords(service, token, BODY, signedBodyHeaders(BODY)),
      await pushRecords(service, token, BODY, { ...signedBodyHeaders(BODY), 'idempotency-key': 'another' }),
      await pushRecords(service, token, '{"id":2}', signedBodyHeaders('{"id":2}')),
    ];
    expect(replies.map(({ body }) => body.data.accepted)).toEqual([1, 0, 1]);
  });

  it('accepts the token of a sender in a header, and rejects a repeated header', async () => {
    const { token } = await anInboundTap(editor, 'token');
    expect((await pushRecords(service, token, BODY, { 'x-token': SENDER_SECRET })).status).toBe(202);
    expect((await pushRecords(service, token, BODY, { 'x-token': 'wrong' })).status).toBe(401);
    expect((await pushRecords(service, token, BODY, { 'x-token': `${SENDER_SECRET}, ${SENDER_SECRET}` })).status).toBe(
      401,
    );
  });
});

describe('GET /ingest/{token}', () => {
  it('responds to the handshake of a sender', async () => {
    const { token } = await anInboundTap(editor, 'greeted');
    const reply = await service.request(`/ingest/${token}?challenge=abc`);
    expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([
      ...[200, 'abc', 'text/plain; charset=utf-8'],
    ]);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    const other = await service.request(`/ingest/${token}`);
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
    const head = await service.request(`/ingest/${token}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect((await pushRecords(service, token, BODY)).status).toBe(202);
  });
});

describe('the deliveries of a tap', () => {
  it('list accepted batches once, and those that are not in the table yet', async () => {
    const { tapId, token } = await anInboundTap(editor, 'open');
    const query = `query ($id: Base62Id!) {
      tenantConnectorTap(id: $id) { deliveries { id records } pendingBatches { id records } pendingBatchesTotal }
      pushedTaps(limit: 250) { items { id } }
    }`;
    const read = async () => (await editor.graphql(query, { id: tapId })).body.data;
    const { body } = await pushRecords(service, token, [{ id: 1 }, { id: 2 }]);
    await pushRecords(service, token, [{ id: 1 }, { id: 2 }]);
    await pushRecords(service, token, [{ id: 1 }, 'malformed']);
    await waitUntil(async () => (await read()).tenantConnectorTap.pendingBatchesTotal === 0);
    const { tenantConnectorTap, pushedTaps } = await read();
    expect(tenantConnectorTap.deliveries).toEqual([{ id: body.data.batchId, records: 2 }]);
    expect(pushedTaps.items).toContainEqual({ id: tapId });
  });
});

describe('a connection to GitHub webhooks', () => {
  it('is verified by its first signed delivery, whose records are loaded', async () => {
    const offer = await anInboundOffer(editor);
    const { body: groupings } = await editor.request('/api/vendors/platform-vendor-groupings/github');
    const strategy = JSON.stringify(groupings).match(/"supportedInboundAuthStrategies":\[\{[^}]*?"id":"(\w{22})"/)?.[1];
    const connected = await editor.post('/api/connectors', {
      ...{ ...offer, authenticationStrategyId: strategy, authenticationConfig: { signingSecret: SENDER_SECRET } },
    });
    const { id, credentialStatus } = connected.body.data;
    expect(credentialStatus).toBe('manual_validation_required');
    const query = 'query ($id: Base62Id!) { tenantConnectorTaps(instanceId: $id) { items { id name } } }';
    const { items } = await queryField(editor, query, { id });
    const tapId = items.find(({ name }: { name: string }) => name === 'issue_events').id;
    const minted = await editor.post('/api/ingest-tokens', { tenantConnectorTapId: tapId });
    const event = JSON.stringify({ action: 'opened', issue: { id: 1 }, repository: {}, sender: {} });
    const signature = createHmac('sha256', SENDER_SECRET).update(event).digest('hex');
    const headers = { 'x-hub-signature-256': `sha256=${signature}`, 'x-github-event': 'issues' };
    expect((await pushRecords(service, minted.body.data.token, event, headers)).body.data.accepted).toBe(1);
    await waitUntil(async () => (await storedRecords(service, tapId)).length === 1);
    expect(await storedRecords(service, tapId)).toMatchObject([{ action: 'opened', issue: '{"id":1}' }]);
    const { body } = await editor.request(`/api/vendors/tenant-connector-instances/${id}`);
    expect(body.data).toMatchObject({ credentialStatus: 'valid', hasValidCredentials: true });
  });
});
