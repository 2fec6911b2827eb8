import { beforeAll, describe, expect, it } from 'vitest';
import { findIngestToken, recordTokenUse } from '../../../../src/ingest/find-ingest-token.js';
import { newId } from '../../../../src/kernel/ids.js';
import type { ReaderFactory } from '../../../../src/kernel/reading/reader-factory.js';
import { tablesHolding } from '../../../support/database/owner-queries.js';
import {
  aToken,
  INGEST_TOKENS,
  mintToken,
  readersOf,
  revokeToken,
  rotateToken,
  tokensOf,
  updateTokenRow,
} from '../../../support/ingest/ingest-tokens.js';
import { anInboundTapId } from '../../../support/operations/tap-calls.js';
import { queryField } from '../../../support/service/callers.js';
import { captureLog } from '../../../support/service/captured-log.js';
import { errorCodeOf, expectSameNotFound } from '../../../support/service/replies.js';
import { aService } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';
import { atScale } from '../../../support/soak.js';

const captured = captureLog();
const service = aService(
  { INGEST_GRACE_SECONDS: '3600', PUBLIC_URL: 'https://taproot.example.com/base' },
  captured.log,
);
const editor = captured.client(service.as('editor'));
const openReaders = readersOf(service);
let readers: ReaderFactory;
let stranger: typeof editor;
beforeAll(async () => {
  readers = await openReaders();
  stranger = service.as('editor', { slug: await createTestWorkspace(service, 'elsewhere') });
});

const HOUR = 3_600_000;
const opens = async (token: string): Promise<boolean> => (await findIngestToken(readers, token)) !== undefined;
const aTapToken = async (more: object = {}) => {
  const tapId = await anInboundTapId(editor);
  return { tapId, ...(await aToken(editor, tapId, more)) };
};
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

describe('POST /api/ingest-tokens', () => {
  it('requires authentication', async () => {
    expect((await mintToken(service, newId())).status).toBe(401);
    expect((await mintToken(service.as('operator'), newId())).status).toBe(403);
  });

  it('returns a valid token and the URL to push to', async () => {
    const { tapId, token, endpointUrl, ingestToken } = await aTapToken();
    expect(token).toMatch(/^wit_[0-9A-Za-z]{49}$/);
    expect(endpointUrl).toBe(`https://taproot.example.com/base/ingest/${token}`);
    expect(ingestToken).toEqual({
      ...{ id: expect.any(String), prefix: token.slice(0, 12), tenantConnectorTapId: tapId },
      ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
    });
    expect(await findIngestToken(readers, token)).toMatchObject({ id: ingestToken.id, tapId, lastUsedAt: undefined });
  });

  it('returns 404 for taps of other workspaces and deleted taps', async () => {
    const [theirs, deleted] = [await anInboundTapId(stranger), await anInboundTapId(editor)];
    await editor.delete(`/api/tenant-connector-taps/${deleted}`);
    const replies = await Promise.all([theirs, deleted, newId()].map((id) => mintToken(editor, id)));
    expectSameNotFound(replies);
  });

  it.each([
    ['a moment ago', -0.001, 400],
    ['in an hour', 1, 200],
    ['in nearly 10 years', 24 * 3_650, 200],
    ['in more than 10 years', 24 * 3_654, 400],
  ])('accepts an expiry in the future, at most 10 years ahead: %s', async (_, hours, status) => {
    const expiresAt = inHours(hours);
    const reply = await mintToken(editor, await anInboundTapId(editor), { expiresAt });
    expect(reply.status).toBe(status);
    if (status === 200) expect(reply.body.data.ingestToken.expiresAt).toBe(expiresAt);
  });

  it.each(['soon', 5, {}, ['2030-01-01T00:00:00Z']])(
    'rejects an expiry that is not a timestamp: %j',
    async (expiresAt) => {
      expect((await mintToken(editor, newId(), { expiresAt })).status).toBe(400);
    },
  );

  it('allows at most 5 live tokens per tap, even for concurrent requests', async () => {
    const tapId = await anInboundTapId(editor);
    const replies = await Promise.all(Array.from({ length: 50 }, () => mintToken(editor, tapId)));
    const minted = replies.filter(({ status }) => status === 200);
    expect([minted.length, new Set(replies.map(errorCodeOf))]).toEqual([5, new Set([null, 'CONFLICT'])]);
    expect(await tokensOf(editor, tapId)).toHaveLength(5);
  });

  it('does not count revoked and expired tokens and tokens in their grace period', async () => {
    const tapId = await anInboundTapId(editor);
    const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => aToken(editor, tapId)));
    const [first, second, third] = tokens.map(({ ingestToken }) => ingestToken.id);
    expect(errorCodeOf(await mintToken(editor, tapId))).toBe('CONFLICT');
    await revokeToken(editor, first);
    await updateTokenRow(service, second, "expires_at = now() - interval '1 second'");
    expect((await rotateToken(editor, third)).status).toBe(200);
    await Promise.all([aToken(editor, tapId), aToken(editor, tapId)]);
    expect(errorCodeOf(await mintToken(editor, tapId))).toBe('CONFLICT');
  });

  it('rejects an Idempotency-Key, because the response is not stored', async () => {
    const tapId = await anInboundTapId(editor);
    const once = { 'idempotency-key': newId() };
    const twice = [1, 2].map(() => editor.post(INGEST_TOKENS, { tenantConnectorTapId: tapId }, once));
    const replies = await Promise.all(twice);
    expect(replies.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, null]);
    expect(replies[0]?.text).not.toBe(replies[1]?.text);
  });
});

describe('POST /api/ingest-tokens/{id}/rotate', () => {
  it('requires authentication', async () => {
    expect((await rotateToken(service, newId())).status).toBe(401);
    expect((await rotateToken(service.as('viewer'), newId())).status).toBe(403);
  });

  it('creates a replacement; the old token remains valid for the grace period', async () => {
    const { tapId, ...old } = await aTapToken();
    const before = Date.now();
    const { token, ingestToken } = (await rotateToken(editor, old.ingestToken.id)).body.data;
    const [shownNew, shownOld] = await tokensOf(editor, tapId);
    expect(shownNew).toEqual(ingestToken);
    expect(ingestToken.expiresAt).toBeUndefined();
    expect(shownOld).toMatchObject({ id: old.ingestToken.id, rotatedAt: expect.any(String) });
    expect(Date.parse(shownOld.expiresAt) - Date.parse(shownOld.rotatedAt)).toBe(HOUR);
    expect(Date.parse(shownOld.rotatedAt)).toBeGreaterThanOrEqual(before);
    expect([await opens(token), await opens(old.token)]).toEqual([true, true]);
  });

  it.each([
    ['its own expiry if that is earlier', 0.5, 0.5],
    ['the end of the grace period if that is earlier', 2, 1],
  ])('expires the old token at %s; the new token inherits the original expiry', async (_, hours, end) => {
    const expiresAt = inHours(hours);
    const { tapId, ingestToken } = await aTapToken({ expiresAt });
    await rotateToken(editor, ingestToken.id);
    const [next, old] = await tokensOf(editor, tapId);
    expect(next.expiresAt).toBe(expiresAt);
    const expected = end === hours ? Date.parse(expiresAt) : Date.parse(old.rotatedAt) + end * HOUR;
    expect(Date.parse(old.expiresAt)).toBe(expected);
  });

  it.each([
    ['in grace', "rotated_at = now(), expires_at = now() + interval '1 hour'"],
    ['expired', "expires_at = now() - interval '1 second'"],
    ['out of grace', "rotated_at = now() - interval '2 hours', expires_at = now() - interval '1 hour'"],
    ['revoked', 'revoked_at = now()'],
  ])('rejects a token that is %s, and changes nothing', async (_, assignment) => {
    const { tapId, ingestToken } = await aTapToken();
    const { id } = ingestToken;
    await updateTokenRow(service, id, assignment);
    const before = await tokensOf(editor, tapId);
    expect(errorCodeOf(await rotateToken(editor, id))).toBe('CONFLICT');
    expect(await tokensOf(editor, tapId)).toEqual(before);
  });

  it('allows at most 5 tokens per tap in their grace period', async () => {
    const { tapId, ingestToken } = await aTapToken();
    let { id } = ingestToken;
    for (let turn = 0; turn < 5; turn++) id = (await rotateToken(editor, id)).body.data.ingestToken.id;
    expect(errorCodeOf(await rotateToken(editor, id))).toBe('CONFLICT');
    const inGrace = (await tokensOf(editor, tapId)).find(({ rotatedAt }) => rotatedAt);
    await revokeToken(editor, inGrace.id);
    expect((await rotateToken(editor, id)).status).toBe(200);
  });

  it('hides other workspaces', async () => {
    const theirs = await aToken(stranger, await anInboundTapId(stranger));
    const replies = await Promise.all([theirs.ingestToken.id, newId()].map((id) => rotateToken(editor, id)));
    expectSameNotFound(replies);
    expect((await rotateToken(stranger, theirs.ingestToken.id)).status).toBe(200);
  });

  it('rotates a token once, even for concurrent requests', async () => {
    const { tapId, ingestToken } = await aTapToken();
    const { id } = ingestToken;
    const replies = await Promise.all(Array.from({ length: atScale(50, 1_000) }, () => rotateToken(editor, id)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    // Requests that wait too long for a database connection return 503.
    const others = replies.filter(({ status }) => status !== 200 && status !== 503);
    expect(new Set(others.map(errorCodeOf))).toEqual(new Set(['CONFLICT']));
    expect((await tokensOf(editor, tapId)).map(({ expiresAt }) => expiresAt === undefined)).toEqual([true, false]);
  }, 600_000);

  it('keeps a missing expiry and extends no grace period, even for concurrent and repeated rotations', async () => {
    const { tapId } = await aTapToken();
    const ends = new Map<string, string>();
    for (let round = 0; round < 6; round++) {
      const ids = (await tokensOf(editor, tapId)).map(({ id }) => id);
      await Promise.all([...ids, ...ids, ...ids].map((id) => rotateToken(editor, id)));
      const tokens = await tokensOf(editor, tapId);
      expect(tokens.filter(({ expiresAt }) => !expiresAt)).toHaveLength(1);
      for (const { id, expiresAt } of tokens) {
        if (ends.has(id)) expect(expiresAt).toBe(ends.get(id));
        if (expiresAt) ends.set(id, expiresAt);
      }
    }
    expect(ends.size).toBe(5);
  });
});

describe('DELETE /api/ingest-tokens/{id}', () => {
  it('requires authentication', async () => {
    expect((await revokeToken(service, newId())).status).toBe(401);
    expect((await revokeToken(service.as('viewer'), newId())).status).toBe(403);
  });

  it('revokes a token immediately, even in its grace period; a repetition does not change the time', async () => {
    const { tapId, ...old } = await aTapToken();
    const next = (await rotateToken(editor, old.ingestToken.id)).body.data;
    for (const { token, ingestToken } of [old, next]) {
      expect(await opens(token)).toBe(true);
      expect((await revokeToken(editor, ingestToken.id)).body.data).toBe(true);
      expect(await opens(token)).toBe(false);
    }
    const before = await tokensOf(editor, tapId);
    expect((await revokeToken(editor, old.ingestToken.id)).body.data).toBe(true);
    expect(await tokensOf(editor, tapId)).toEqual(before);
  });

  it('hides other workspaces', async () => {
    const theirs = await aToken(stranger, await anInboundTapId(stranger));
    const replies = await Promise.all([theirs.ingestToken.id, newId()].map((id) => revokeToken(editor, id)));
    expectSameNotFound(replies);
    expect(await opens(theirs.token)).toBe(true);
  });

  it('revokes a token permanently, before or after a concurrent rotation', async () => {
    for (let round = 0; round < 10; round++) {
      const { token, ingestToken } = await aTapToken();
      const [rotated, revoked] = await Promise.all([
        rotateToken(editor, ingestToken.id),
        revokeToken(editor, ingestToken.id),
      ]);
      expect([revoked.status, await opens(token)]).toEqual([200, false]);
      expect([200, 409]).toContain(rotated.status);
    }
  });
});

describe('GET /api/ingest-tokens', () => {
  it('requires authentication', async () => {
    expect((await service.request(`${INGEST_TOKENS}?tenantConnectorTapId=${newId()}`)).status).toBe(401);
  });

  it('lists the tokens of a tap by page, and returns 404 for other workspaces', async () => {
    const [tapId, other] = [await anInboundTapId(editor), await anInboundTapId(editor)];
    const made = [await aToken(editor, tapId), await aToken(editor, tapId)].map(({ ingestToken }) => ingestToken);
    await aToken(editor, other);
    const { body } = await editor.request(`${INGEST_TOKENS}?tenantConnectorTapId=${tapId}&limit=1`);
    expect([body.data.items, body.meta.totalCount]).toEqual([[made[1]], 2]);
    expect(body.links.next).toContain(`tenantConnectorTapId=${tapId}`);
    expect((await stranger.request(`${INGEST_TOKENS}?tenantConnectorTapId=${tapId}`)).status).toBe(404);
  });

  it('lists them as a field of a tap in GraphQL', async () => {
    const { tapId, ingestToken } = await aTapToken();
    const query = 'query ($id: Base62Id!) { tenantConnectorTap(id: $id) { ingestTokens { id tenantConnectorTapId } } }';
    const { tenantConnectorTapId, id } = ingestToken;
    expect(await queryField(editor, query, { id: tapId })).toEqual({ ingestTokens: [{ id, tenantConnectorTapId }] });
  });
});

describe('the text of a token', () => {
  it('appears only in the response that created it, not in tables or logs', async () => {
    const { tapId, token, ingestToken } = await aTapToken();
    const next = (await rotateToken(editor, ingestToken.id)).body.data;
    await recordTokenUse(readers, (await findIngestToken(readers, token)) as never);
    await tokensOf(editor, tapId);
    await revokeToken(editor, next.ingestToken.id);
    await service.as('owner').graphql('{ auditEntries(limit: 250) { items { action details } } }');

    expect(captured.lines.length).toBeGreaterThan(0);
    for (const text of [token, next.token]) {
      expect(captured.replies.filter((reply) => reply.includes(text))).toHaveLength(1);
      const secret = text.slice(12, -6);
      for (const part of [text, secret.slice(0, 15), secret.slice(-15)]) {
        expect(await tablesHolding(service, part.replaceAll('_', '\\_'))).toEqual([]);
        expect(captured.lines.filter((line) => line.includes(part))).toEqual([]);
      }
    }
    expect(await tablesHolding(service, token.slice(0, 12).replaceAll('_', '\\_'))).toEqual([
      'public.audit_entry',
      'public.ingest_token',
    ]);
  });
});
