import { beforeAll, describe, expect, it } from 'vitest';
import { findIngestToken, recordTokenUse } from '../../../../src/ingest/find-ingest-token.js';
import type { ReaderFactory } from '../../../../src/kernel/reading/reader-factory.js';
import { captureStatements } from '../../../support/database/captured-statements.js';
import { aToken, readersOf, tokensOf, updateTokenRow } from '../../../support/ingest/ingest-tokens.js';
import { anInboundTapId } from '../../../support/operations/tap-calls.js';
import { aService, type Client } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';

const service = aService();
const editor = service.as('editor');
const openReaders = readersOf(service);
let readers: ReaderFactory;
let stranger: Client;
beforeAll(async () => {
  readers = await openReaders();
  stranger = service.as('editor', { slug: await createTestWorkspace(service, 'elsewhere') });
});

const opens = async (token: string): Promise<boolean> => (await findIngestToken(readers, token)) !== undefined;

describe('findIngestToken', () => {
  const changed = (text: string, at: number): string =>
    text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1);

  it('runs no query for a token with one changed character, at any position', async () => {
    const { token } = await aToken(editor, await anInboundTapId(editor));
    const wrong = [...token].map((_, at) => changed(token, at));
    const forms = ['', 'wit_', token.slice(0, -1), `${token}a`, token.toLowerCase(), ` ${token}`, `${token}\n`];
    const statements = await captureStatements(async () => {
      for (const text of [...wrong, ...forms]) expect(await opens(text)).toBe(false);
    });
    expect([wrong.length, statements]).toEqual([53, []]);
  });

  it('finds a token of any workspace with one statement, and only by its own text', async () => {
    const [ours, theirs] = [
      await aToken(editor, await anInboundTapId(editor)),
      await aToken(stranger, await anInboundTapId(stranger)),
    ];
    const found: unknown[] = [];
    const statements = await captureStatements(async () => {
      for (const { token } of [ours, theirs]) found.push(await findIngestToken(readers, token));
    });
    expect(found).toMatchObject(
      [ours, theirs].map(({ ingestToken: { id, tenantConnectorTapId: tapId } }) => ({ id, tapId })),
    );
    expect(statements).toHaveLength(2);
  });

  it.each(['revoked_at = now()', "expires_at = now() - interval '1 second'"])(
    'does not find a token with %s',
    async (end) => {
      const { token, ingestToken } = await aToken(editor, await anInboundTapId(editor));
      expect(await opens(token)).toBe(true);
      await updateTokenRow(service, ingestToken.id, end);
      expect(await opens(token)).toBe(false);
    },
  );

  it('hides the rows of all workspaces without a token', async () => {
    await aToken(editor, await anInboundTapId(editor));
    for (const value of ['', 'a'.repeat(64)]) {
      const rows = await readers
        .forScope({ setting: 'taproot.ingest_token', value })
        .rows('select id from ingest_token', []);
      expect(rows).toEqual([]);
    }
  });
});

describe('recordTokenUse', () => {
  it('records the use of a token at most once a minute', async () => {
    const tapId = await anInboundTapId(editor);
    const { token, ingestToken } = await aToken(editor, tapId);
    const found = async () => (await findIngestToken(readers, token)) as never;
    const usedAt = async () => (await tokensOf(editor, tapId))[0].lastUsedAt;
    const noteAgain = async () => recordTokenUse(readers, await found());

    const fresh = await found();
    await Promise.all([recordTokenUse(readers, fresh), recordTokenUse(readers, fresh)]);
    const first = await usedAt();
    expect(Math.abs(Date.parse(first) - Date.now())).toBeLessThan(30_000);
    await noteAgain();
    await recordTokenUse(readers, fresh);
    expect(await usedAt()).toBe(first);
    await updateTokenRow(service, ingestToken.id, "last_used_at = now() - interval '61 seconds'");
    await noteAgain();
    expect(Date.parse(await usedAt())).toBeGreaterThanOrEqual(Date.parse(first));
  });
});
