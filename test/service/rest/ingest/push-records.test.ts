import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { newIngestToken } from '../../../../src/ingest/ingest-token-text.js';
import { decodeId, encodeId } from '../../../../src/kernel/ids.js';
import { captureStatements } from '../../../support/database/captured-statements.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { waitUntil } from '../../../support/database/test-jobs.js';
import {
  anInboundTap,
  anIngestService,
  type InboundTap,
  pushRecords,
  SENDER_SECRET,
  type SenderKind,
  storedRecords,
} from '../../../support/ingest/pushed-taps.js';
import { queryField } from '../../../support/service/callers.js';
import { captureLog } from '../../../support/service/captured-log.js';
import { postThenGetHealth } from '../../../support/service/keep-alive-connection.js';
import { RawClient } from '../../../support/service/raw-client.js';
import { comparableReply } from '../../../support/service/replies.js';
import type { Reply } from '../../../support/service/service.js';
import { atScale } from '../../../support/soak.js';

const captured = captureLog();
const service = await anIngestService({ JOBS: 'on', INGEST_FLUSH_SECONDS: '1' }, captured.log);
const editor = service.as('editor');
let tap: InboundTap;
beforeAll(async () => {
  tap = await anInboundTap(editor, 'open');
});

const REFUSED = 'UNAUTHENTICATED: The ingest token is invalid, or the secret or signature of the sender is invalid.';

const send = (body: string | Buffer | object, headers = {}) => pushRecords(service, tap.token, body, headers);

async function loadedRecords(tapId: string, count: number, kind: 'data' | 'rejects' = 'data') {
  await waitUntil(async () => (await storedRecords(service, tapId, kind)).length >= count);
  return storedRecords(service, tapId, kind);
}

describe('POST /ingest/{token}', () => {
  it.each<[string, SenderKind, (tap: InboundTap) => Promise<Reply>]>([
    ['its token was revoked', 'open', ({ tokenId }) => editor.delete(`/api/ingest-tokens/${tokenId}`)],
    [
      'its sender secret changed',
      'token',
      ({ instance }) =>
        editor.post('/api/connectors/configure', {
          instanceId: instance.id,
          authenticationConfig: { secret: 'another one' },
        }),
    ],
  ])('rejects a request that was in flight when %s', async (_, kind, change) => {
    const tap = await anInboundTap(editor, kind);
    const body = '{"id": 1}';
    const head = { 'content-type': 'application/json', 'content-length': body.length, 'x-token': SENDER_SECRET };
    const client = new RawClient(`${service.url}/ingest/${tap.token}`, head);
    await client.send(body.slice(0, 5));
    await sleep(1_500);
    expect((await change(tap)).status).toBe(200);
    await client.send(body.slice(5));
    await waitUntil(() => client.status !== undefined);
    client.socket.destroy();
    expect([client.status, client.received]).toEqual([401, expect.stringContaining(REFUSED)]);
  });

  it('returns 202 with the number of records once they are durable', async () => {
    const { status, body, headers } = await send([{ id: 1 }, { id: 2 }]);
    expect([status, body]).toEqual([
      202,
      {
        data: { accepted: 2, duplicates: 0, batchId: expect.stringMatching(/^\w{22}$/) },
        meta: { requestId: headers.get('x-request-id'), totalCount: null },
      },
    ]);
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    const known = await queryAsOwner(service, 'select id from ingest_delivery');
    expect(known.map(({ id }) => encodeId(id))).toContain(body.data.batchId);
  });

  it('accepts the token as a bearer token', async () => {
    const headers = { authorization: `Bearer ${tap.token}`, 'content-type': 'application/json' };
    const reply = await service.request('/ingest', { method: 'POST', body: '{"id":3}', headers });
    expect([reply.status, reply.body.data.accepted]).toEqual([202, 1]);
    expect((await service.post('/ingest', { id: 3 })).status).toBe(401);
  });

  it('accepts lines, and bodies compressed with gzip', async () => {
    const lines = await send('{"id":4}\n{"id":5}\n', { 'content-type': 'application/x-ndjson' });
    const packed = await send(gzipSync('[{"id":6}]'), { 'content-encoding': 'gzip' });
    expect([lines.body.data.accepted, packed.body.data.accepted]).toEqual([2, 1]);
  });

  it('accepts an empty array', async () => {
    const [{ count } = {}] = await queryAsOwner(service, 'select count(*) from ingest_batch');
    expect((await send('[]')).body.data).toMatchObject({ accepted: 0, duplicates: 0 });
    expect(await queryAsOwner(service, 'select count(*) from ingest_batch')).toEqual([{ count }]);
  });

  it.each<[name: string, status: number, body: string | Buffer, headers?: object]>([
    ['invalid JSON', 400, '{"id":'],
    ['a record that is not an object', 400, '[{"id":1},2]'],
    ['bytes that are not UTF-8', 400, Buffer.from('{"name":"\xff"}', 'latin1')],
    ['a body that is not valid gzip', 400, '{}', { 'content-encoding': 'gzip' }],
    ['an Idempotency-Key with a blank', 400, '{}', { 'idempotency-key': 'a b' }],
    ['more than 1 MiB', 413, Buffer.alloc(1024 * 1024 + 1, ' ')],
    ['more than 20 MiB after decompression', 413, gzipSync(Buffer.alloc(21 * 2 ** 20)), { 'content-encoding': 'gzip' }],
    ['a form', 415, 'id=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a body compressed with Brotli', 415, '{}', { 'content-encoding': 'br' }],
  ])('rejects %s', async (_, status, body, headers = {}) => {
    const reply = await send(body, headers);
    expect([reply.status, reply.headers.get('referrer-policy')]).toEqual([status, 'no-referrer']);
  });

  it.each([
    ['rejected for its size', 413, () => tap.token],
    ['sent with an unknown token', 401, () => newIngestToken().token],
  ])('leaves the connection usable after a large body %s', async (_, status, token) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const url = `${service.url}/ingest/${token()}`;
    const [refused, next] = await postThenGetHealth(url, gzipSync(randomBytes(3 * 2 ** 20)), headers);
    expect([refused.status, next.status]).toEqual([status, 200]);
  });

  it('rejects a body with an excessive Content-Length before reading it', async () => {
    const client = new RawClient(`${service.url}/ingest/${tap.token}`, {
      ...{ 'content-type': 'application/json', 'content-length': 2 ** 30 },
    });
    await waitUntil(() => client.status !== undefined);
    expect(client.status).toBe(413);
    client.socket.destroy();
  });

  it('returns the same response for all invalid tokens', async () => {
    const [revoked, expired, gone] = await Promise.all([1, 2, 3].map(() => anInboundTap(editor, 'open')));
    await editor.delete(`/api/ingest-tokens/${revoked?.tokenId}`);
    await queryAsOwner(service, `update ingest_token set expires_at = now() where prefix = $1`, [
      expired?.token.slice(0, 12),
    ]);
    await editor.delete(`/api/tenant-connector-taps/${gone?.tapId}`);
    const tokens = [newIngestToken().token, 'wit_x', '%E2%82%AC', `${tap.token}x`];
    const replies = await Promise.all(
      [...tokens, ...[revoked, expired, gone].map((one) => one?.token as string)].map((one) =>
        pushRecords(service, one, {}),
      ),
    );
    const shapes = new Set(replies.map((reply) => JSON.stringify(comparableReply(reply))));
    expect(shapes.size).toBe(1);
    expect([replies[0]?.status, replies[0]?.body.error]).toEqual([401, REFUSED]);
  });

  it('runs no query for a token with a wrong checksum', async () => {
    const wrong = `${tap.token.slice(0, -1)}${tap.token.endsWith('0') ? '1' : '0'}`;
    const lookups = async (work: () => Promise<unknown>) =>
      (await captureStatements(work)).filter((text) => text.includes('ingest_token')).length;
    expect(await lookups(() => pushRecords(service, wrong, {}))).toBe(0);
    expect(await lookups(() => send({ id: 7 }))).toBeGreaterThan(0);
  });

  it('rejects a revoked token immediately', async () => {
    const { token, tokenId } = await anInboundTap(editor, 'open');
    const before = await Promise.all(Array.from({ length: 20 }, (_, id) => pushRecords(service, token, { id })));
    await editor.delete(`/api/ingest-tokens/${tokenId}`);
    const after = await Promise.all(Array.from({ length: 20 }, (_, id) => pushRecords(service, token, { id: -id })));
    expect([before, after].map((replies) => [...new Set(replies.map(({ status }) => status))])).toEqual([[202], [401]]);
  });

  it('returns 409 while the tap or connection is disabled or sender verification is not configured', async () => {
    const [disabled, off, unsaid] = [
      await anInboundTap(editor, 'open'),
      await anInboundTap(editor, 'open'),
      await anInboundTap(editor, 'token', { isConfigured: false }),
    ];
    await editor.patch(`/api/tenant-connector-taps/${disabled.tapId}`, { enabled: false });
    await editor.patch(`/api/vendors/tenant-connector-instances/${off.instance.id}`, { enabled: false });
    const replies = await Promise.all([disabled, off, unsaid].map(({ token }) => pushRecords(service, token, {})));
    expect(replies.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect(new Set(replies.map(({ body }) => body.error)).size).toBe(3);
    expect((await service.request(`/ingest/${disabled.token}`)).status).toBe(409);
  });

  it('counts a repeated delivery as duplicates and returns the first batch', async () => {
    const first = await send({ id: 'again' });
    const second = await send({ id: 'again' });
    expect(second.body.data).toEqual({ accepted: 0, duplicates: 1, batchId: first.body.data.batchId });
    const key = { 'idempotency-key': 'k' };
    const keyed = [await send({ id: 1 }, key), await send({ id: 1 }, key)];
    expect(keyed.map(({ body }) => body.data.accepted)).toEqual([1, 0]);
    const other = await send({ id: 2 }, key);
    expect([other.status, other.body.error]).toEqual([422, expect.stringContaining('IDEMPOTENCY_KEY_REUSED')]);
  });

  it('accepts the same delivery again after its identity expires', async () => {
    await send({ id: 'old' });
    await queryAsOwner(service, `update ingest_delivery set kept_until = now() - interval '1 second'`);
    expect((await send({ id: 'old' })).body.data.accepted).toBe(1);
    expect((await send({ id: 'old' })).body.data.accepted).toBe(0);
  });

  it('stores one of many concurrent replays', async () => {
    const { token, tapId } = await anInboundTap(editor, 'open');
    const many = Array.from({ length: atScale(100, 1_000) }, () => pushRecords(service, token, [{ id: 1 }, { id: 2 }]));
    const replies = await Promise.all(many);
    const sum = (key: string) => replies.reduce((total, { body }) => total + body.data[key], 0);
    expect([sum('accepted'), sum('duplicates')]).toEqual([2, 2 * (replies.length - 1)]);
    expect(new Set(replies.map(({ body }) => body.data.batchId)).size).toBe(1);
    expect((await loadedRecords(tapId, 1)).map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('loads the records into the table of the tap, and rejected records into its rejects', async () => {
    const { token, tapId } = await anInboundTap(editor, 'open');
    await pushRecords(service, token, '[{"id":1,"name":"Ada","amount":12345678901234567890.10},{"id":"one"}]');
    await loadedRecords(tapId, 1, 'rejects');
    await pushRecords(service, token, [{ id: 2, since: 1 }]);
    expect(await loadedRecords(tapId, 2)).toMatchObject([
      { id: '1', name: 'Ada', amount: '12345678901234567890.10', since: null, _row: '1' },
      { id: '2', name: null, amount: null, since: '1' },
    ]);
    expect(await storedRecords(service, tapId, 'rejects')).toMatchObject([
      { record: '{"id":"one"}', reason: 'column "id": "one" does not fit Integer', _row: '2' },
    ]);
    expect(await queryAsOwner(service, 'select from ingest_batch where tap_id = $1', [decodeId(tapId)])).toEqual([]);
  });

  it('keeps U+FEFF in names and values, and drops a byte order mark of the body', async () => {
    const { token, tapId } = await anInboundTap(editor, 'open');
    const long = `\ufeff${'x'.repeat(20)}`;
    const record = { '\ufeff': 1, '\ufeffkey': 'a', key: '\ufeffb', json: { '\ufeffc': ['\ufeff'] }, long };
    expect((await pushRecords(service, token, `\ufeff${JSON.stringify(record)}`)).status).toBe(202);
    await loadedRecords(tapId, 1);
    const query = 'query ($id: Base62Id!) { tenantConnectorTap(id: $id) { table { id preview } } }';
    const { table } = await queryField(editor, query, { id: tapId });
    const { body } = await editor.request(`/api/catalog/tables/${table.id}/rows`);
    expect([table.preview, body.data]).toEqual([[expect.objectContaining(record)], [expect.objectContaining(record)]]);
  });

  it('loads records that were acknowledged before the tap was deleted', async () => {
    const { token, tapId } = await anInboundTap(editor, 'open');
    await pushRecords(service, token, { id: 1 });
    await editor.delete(`/api/tenant-connector-taps/${tapId}`);
    expect(await loadedRecords(tapId, 1)).toHaveLength(1);
  });

  it('records the use of the token', async () => {
    await waitUntil(async () => {
      const { body } = await editor.request(`/api/ingest-tokens?tenantConnectorTapId=${tap.tapId}`);
      return body.data.items[0].lastUsedAt !== undefined;
    });
  });

  it('writes no token to the log for any URL', async () => {
    const { token } = tap;
    for (const path of [
      `/ingest/${token}/more`,
      `/INGEST/${token}`,
      `/%69ngest/${token}`,
      `//ingest/${token}`,
      `/${token}`,
    ])
      await service.request(path, { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } });
    await service.request(`/ingest/${token}?${token}`, { method: 'PUT' });
    expect(await (await fetch(service.metricsUrl)).text()).not.toContain('wit_');
    expect(captured.lines.join('')).toContain('/ingest/:token');
    expect(captured.lines.join('')).not.toContain(token.slice(12));
  });
});

describe('other methods of /ingest', () => {
  it.each(['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'GET'])('rejects %s', async (method) => {
    const { status, headers } = await service.request(`/ingest/${tap.token}`, { method });
    expect([status, headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
  });

  it.each(['GET', 'HEAD'])('allows only POST in its response to %s if the sender has no handshake', async (method) => {
    const { headers } = await service.request(`/ingest/${tap.token}`, { method });
    expect(headers.get('allow')).toBe('POST');
  });

  it('returns 404 for paths below the endpoint, with valid and invalid tokens', async () => {
    for (const path of ['/more', '/'])
      for (const method of ['GET', 'POST']) {
        const replies = [tap.token, newIngestToken().token].map((token) =>
          service.request(`/ingest/${token}${path}`, { method, body: method === 'POST' ? '{"id":1}' : undefined }),
        );
        const [known, unknown] = (await Promise.all(replies)).map(comparableReply);
        expect(known).toMatchObject({ status: 404 });
        expect(known).toEqual(unknown);
      }
    const headers = { authorization: `Bearer ${tap.token}`, 'content-type': 'application/json' };
    expect((await service.request('/ingest/', { method: 'POST', body: '{"id":1}', headers })).status).toBe(404);
  });
});
