import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { captureStatements, isPeriodic } from '../../../support/database/captured-statements.js';
import { queryAsOwner, tablesHolding } from '../../../support/database/owner-queries.js';
import {
  auditEntriesOf,
  errorCodesOf,
  queryField,
  roleIdOf,
  setUserRoles,
  UPDATE_USER,
  userIdOf,
} from '../../../support/service/callers.js';
import { aClient, aService, type Client, type Reply } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';

const service = aService();
const owner = service.as('owner');
beforeAll(() => createTestWorkspace(service, 'acme'));

const CREATE = 'mutation ($input: ApiKeyInput!) { createApiKey(input: $input) { key apiKey { id } } }';
const REVOKE = 'mutation ($id: Base62Id!) { revokeApiKey(id: $id) }';
const REQUESTS = '/api/connector-requests/connector-requests';

function aKey(
  permissions: string[],
  { by = owner, name = 'sync', expiresAt = null as string | null } = {},
): Promise<{ key: string; apiKey: { id: string } }> {
  return queryField(by, CREATE, { input: { name, permissions, expiresAt } });
}

const withKey = (key: string, headers: Record<string, string> = {}): Client =>
  aClient(service, async () => ({ authorization: `Bearer ${key}`, ...headers }));

const mayRead = (client: Client): Promise<Reply> => client.request('/api/connectors?limit=1');
const mayWrite = (client: Client, connectorName = 'Acme'): Promise<Reply> => client.post(REQUESTS, { connectorName });

function expectRefusal({ status, body, headers }: Reply): void {
  expect([status, body]).toEqual([401, { error: 'UNAUTHENTICATED: The bearer token is not valid.' }]);
  expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
}

function withChecksum(text: string): string {
  return `${text}_${crc32(text).toString(16).padStart(8, '0')}`;
}

function changed(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1);
}

async function setRow(key: string, assignment: string): Promise<void> {
  const change = `update api_key set ${assignment} where hash = encode(sha256($1), 'hex') returning id`;
  expect(await queryAsOwner(service, change, [Buffer.from(key)])).toHaveLength(1);
}

async function usedAt(id: string): Promise<string | undefined> {
  const { items } = await queryField(owner, '{ apiKeys(limit: 250) { items { id lastUsedAt } } }');
  return items.find((key: { id: string }) => key.id === id).lastUsedAt;
}

describe('an API key', () => {
  it('authenticates without a named workspace and with its own', async () => {
    const { key } = await aKey(['connectors:read']);
    expect((await mayRead(withKey(key))).status).toBe(200);
    expect((await mayRead(withKey(key, { 'x-tenant': 'demo' }))).status).toBe(200);
  });

  it.each(['acme', 'nowhere'])('is rejected in another workspace: %s', async (slug) => {
    const { key } = await aKey(['*']);
    const { status, headers } = await mayRead(withKey(key, { 'x-tenant': slug }));
    expect([status, headers.get('x-error-code')]).toEqual([403, 'WORKSPACE_FORBIDDEN']);
    expect((await mayRead(withKey(key))).status).toBe(200);
  });

  it('is returned once and stored only as a hash', async () => {
    const { key, apiKey } = await aKey(['*'], { name: 'a key to look for' });
    const program = withKey(key);
    expect((await mayWrite(program, 'Looked for')).status).toBe(200);
    const secret = key.slice(-52, -9);
    expect(await tablesHolding(service, 'a key to look for')).toEqual(['public.api_key', 'public.audit_entry']);
    for (const part of [key, secret, secret.slice(0, 20), secret.slice(-20)])
      expect(await tablesHolding(service, part.replaceAll('_', '\\_'))).toEqual([]);

    const fields = 'id name ending permissions createdAt createdBy updatedAt updatedBy expiresAt lastUsedAt revokedAt';
    const trail = 'id at actorKind actorId action objectType objectId requestId details';
    const later = [
      await owner.graphql(`{ apiKeys(limit: 250) { items { ${fields} } } }`),
      await owner.graphql(`{ auditEntries(limit: 250) { items { ${trail} } } }`),
      await program.graphql(`{ apiKeys(limit: 250) { items { ${fields} } } }`),
      await program.request('/api/users/me'),
      await withKey(changed(key, 30)).request('/api/users/me'),
      await owner.graphql(REVOKE, { id: apiKey.id }),
      await program.request('/api/connectors'),
    ];
    for (const { text } of later) expect(text).not.toContain(secret.slice(0, 20));
    expect(later[0]?.text).toContain(`"${key.slice(-4)}"`);
    expect(later[1]?.text).toContain('a key to look for');
  });

  it.each<[string[], number, number, number]>([
    [['connector_requests:read'], 403, 403, 200],
    [['connector_requests:write'], 403, 200, 403],
    [['connector_requests:*'], 403, 200, 200],
    [['connectors:read', 'connector_requests:read'], 200, 403, 200],
    [['connectors:*'], 200, 403, 403],
    [['*'], 200, 200, 200],
    [['taps:write'], 403, 403, 403],
  ])('with %j allows only that', async (permissions, connectors, write, read) => {
    const program = withKey((await aKey(permissions)).key);
    const { id } = (await mayWrite(owner, 'Of the owner')).body.data;
    const replies = [
      await mayRead(program),
      await mayWrite(program),
      await program.request(`/api/connector-requests/${id}`),
    ];
    expect(replies.map(({ status }) => status)).toEqual([connectors, write, read]);
  });

  it('cannot list users without permission', async () => {
    const program = withKey((await aKey(['*'])).key);
    const people = '{ users { items { id } } }';
    expect(await errorCodesOf(program, people)).toEqual(['FORBIDDEN']);
    expect(await errorCodesOf(owner, people)).toEqual([]);
    expect((await mayRead(program)).status).toBe(200);
  });

  it('is rejected immediately after its revocation', async () => {
    const { key, apiKey } = await aKey(['*']);
    const { key: other } = await aKey(['*']);
    expect((await mayRead(withKey(key))).status).toBe(200);
    expect(await queryField(owner, REVOKE, { id: apiKey.id })).toBe(true);
    expectRefusal(await mayRead(withKey(key)));
    expect((await mayRead(withKey(other))).status).toBe(200);
    expect(await queryField(owner, REVOKE, { id: apiKey.id })).toBe(true);
  });

  it('cannot be revoked from another workspace', async () => {
    const { key, apiKey } = await aKey(['*']);
    const stranger = service.as('owner', { slug: 'acme' });
    expect(await errorCodesOf(stranger, REVOKE, { id: apiKey.id })).toEqual(['NOT_FOUND']);
    expect((await mayRead(withKey(key))).status).toBe(200);
    const own = await aKey(['*'], { by: stranger });
    expect(await queryField(stranger, REVOKE, { id: own.apiKey.id })).toBe(true);
  });

  it('is rejected after its expiry', async () => {
    const { key } = await aKey(['*'], { expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect((await mayRead(withKey(key))).status).toBe(200);
    await setRow(key, `expires_at = now() - interval '1 second'`);
    expectRefusal(await mayRead(withKey(key)));
    const past = { name: 'late', permissions: ['*'], expiresAt: new Date(Date.now() - 1_000).toISOString() };
    expect(await errorCodesOf(owner, CREATE, { input: past })).toEqual(['BAD_REQUEST']);
  });

  it('is rejected when its creator loses access, and never allows more than its creator has', async () => {
    const admin = service.as('admin', { slug: 'acme' });
    const boss = service.as('owner', { slug: 'acme' });
    const id = await userIdOf(boss, 'admin@acme.test');
    const { key } = await aKey(['connectors:*', 'connector_requests:write'], { by: admin });
    const may = async (): Promise<number[]> => [
      (await mayRead(withKey(key))).status,
      (await mayWrite(withKey(key))).status,
    ];
    expect(await may()).toEqual([200, 200]);
    await setUserRoles(boss, id, [await roleIdOf(boss, 'viewer')]);
    expect(await may()).toEqual([200, 403]);
    await queryField(boss, UPDATE_USER, { id, input: { status: 'SUSPENDED' } });
    expect(await may()).toEqual([401, 401]);
    await queryField(boss, UPDATE_USER, { id, input: { status: 'ACTIVE', roleIds: [await roleIdOf(boss, 'admin')] } });
    expect(await may()).toEqual([200, 200]);
  });
});

describe('a made-up API key', () => {
  it('is rejected for any changed character, without a database query', async () => {
    const { key } = await aKey(['*']);
    const statements = await captureStatements(async () => {
      for (let at = 0; at < key.length; at++)
        expectRefusal(await mayRead(withKey(changed(key, at), { 'x-tenant': 'demo' })));
    });
    expect([key.length, statements.filter((text) => !isPeriodic(text))]).toEqual([78, []]);
    expect(
      (await captureStatements(async () => expect((await mayRead(withKey(key))).status).toBe(200))).length,
    ).toBeGreaterThan(0);
  });

  it.each<[string, (key: string) => string]>([
    ['a wrong checksum', (key) => `${key.slice(0, -8)}${key.endsWith('00000000') ? '00000001' : '00000000'}`],
    ['a checksum in upper case', (key) => `${key.slice(0, -8)}${'ABCDEF01'}`],
    ['no checksum', (key) => key.slice(0, -9)],
    ['a missing character', (key) => key.slice(0, -1)],
    ['a longer secret', (key) => withChecksum(`${key.slice(0, -9)}a`)],
    ['a shorter secret', (key) => withChecksum(key.slice(0, -10))],
    ['an invalid id', (key) => withChecksum(`wak_${'z'.repeat(22)}${key.slice(26, -9)}`)],
    ['the id 0', (key) => withChecksum(`wak_${'0'.repeat(22)}${key.slice(26, -9)}`)],
    ['another prefix', (key) => withChecksum(`WAK_${key.slice(4, -9)}`)],
  ])('with %s is rejected without a database query', async (_, forge) => {
    const { key } = await aKey(['*']);
    expect(await captureStatements(async () => expectRefusal(await mayRead(withKey(forge(key)))))).toEqual([]);
    expect((await mayRead(withKey(key))).status).toBe(200);
  });

  it.each<[string, (key: string, others: string) => string]>([
    ['the id of another workspace', (key, others) => `${others.slice(0, 26)}${key.slice(26, -9)}`],
    ['the secret of a key of another workspace', (key, others) => `${key.slice(0, 26)}${others.slice(26, -9)}`],
    ['one character of the secret changed', (key) => changed(key, 40).slice(0, -9)],
    ['the last character of the secret changed', (key) => changed(key, key.length - 10).slice(0, -9)],
  ])('with %s and a valid checksum is rejected', async (_, forge) => {
    const { key } = await aKey(['*']);
    const { key: others } = await aKey(['*'], { by: service.as('owner', { slug: 'acme' }) });
    const forged = withChecksum(forge(key, others));
    for (const headers of [{}, { 'x-tenant': 'demo' }, { 'x-tenant': 'acme' }])
      expectRefusal(await mayRead(withKey(forged, headers as Record<string, string>)));
    for (const real of [key, others])
      expect((await mayRead(withKey(withChecksum(real.slice(0, -9))))).status).toBe(200);
  });
});

describe('the creator of an API key', () => {
  const codes = (by: Client, permissions: string[]): Promise<string[]> =>
    errorCodesOf(by, CREATE, { input: { name: 'more', permissions } });

  it('can grant only their own permissions', async () => {
    const admin = service.as('admin');
    expect(await codes(admin, ['*'])).toEqual(['FORBIDDEN']);
    expect(await codes(admin, ['connectors:*', '*'])).toEqual(['FORBIDDEN']);
    expect(await codes(admin, ['connectors:*', 'taps:write'])).toEqual([]);
    for (const role of ['editor', 'operator', 'viewer'] as const)
      expect(await codes(service.as(role), ['connectors:read'])).toEqual(['FORBIDDEN']);
    expect(await codes(owner, ['*'])).toEqual([]);
  });

  it('can grant only its own permissions, if it is an API key', async () => {
    const program = withKey((await aKey(['api_keys:write', 'taps:write', 'artifacts:*'])).key);
    for (const more of ['*', 'taps:*', 'taps:delete', 'api_keys:*', 'connectors:read', 'roles:write'])
      expect([more, await codes(program, [more])]).toEqual([more, ['FORBIDDEN']]);
    expect(await codes(program, ['taps:write', 'connectors:read'])).toEqual(['FORBIDDEN']);
    expect(await codes(program, ['taps:write', 'artifacts:*', 'artifacts:read', 'api_keys:write'])).toEqual([]);
  });

  it.each(['', 'connectors', 'connectors:', '*:*', 'connectors:read:*', 'none:*', 'constructor', '__proto__', 'wak_'])(
    'cannot grant an invalid permission: %j',
    async (permission) => {
      expect(await codes(owner, ['taps:write', permission])).toEqual(['BAD_REQUEST']);
    },
  );
});

describe('a change made with an API key', () => {
  it('has the creator of the key as author, and the key as actor in the audit trail', async () => {
    const { key, apiKey } = await aKey(['connector_requests:*', 'api_keys:write'], { by: service.as('admin') });
    const maker = await userIdOf(owner, 'admin@demo.test');
    const made = await queryField(
      withKey(key),
      'mutation { createConnectorRequest(connectorName: "By a program") { id createdBy updatedBy } }',
    );
    expect(made).toMatchObject({ createdBy: maker, updatedBy: maker });
    const child = await aKey(['connector_requests:read'], { by: withKey(key) });
    const actor = { actorKind: 'api_key', actorId: apiKey.id };
    expect(await auditEntriesOf(owner, made.id)).toMatchObject([{ ...actor, action: 'connector_request.made' }]);
    expect(await auditEntriesOf(owner, child.apiKey.id)).toMatchObject([{ ...actor, action: 'api_key.made' }]);
    const user = { actorKind: 'user', actorId: maker };
    expect(await auditEntriesOf(owner, apiKey.id)).toMatchObject([{ ...user, action: 'api_key.made' }]);
  });

  it('updates the last use of the key, at most once a minute', async () => {
    const { key, apiKey } = await aKey(['connectors:read']);
    const usedAgo = async (interval: string): Promise<string | undefined> => {
      await setRow(key, `last_used_at = now() - interval '${interval}'`);
      return usedAt(apiKey.id);
    };
    expect(await usedAt(apiKey.id)).toBeNull();
    await mayRead(withKey(key));
    const first = await usedAt(apiKey.id);
    expect(Math.abs(Date.parse(first as string) - Date.now())).toBeLessThan(30_000);
    expect(await captureStatements(() => mayRead(withKey(key)))).not.toContainEqual(
      expect.stringMatching(/^\s*update/i),
    );
    expect(await usedAt(apiKey.id)).toBe(first);

    const recently = await usedAgo('30 seconds');
    await mayRead(withKey(key));
    expect(await usedAt(apiKey.id)).toBe(recently);
    const longAgo = await usedAgo('61 seconds');
    expect(await captureStatements(() => mayRead(withKey(key)))).toContainEqual(expect.stringMatching(/^\s*update/i));
    expect(await usedAt(apiKey.id)).not.toBe(longAgo);
  });
});
