import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId, SYSTEM_USER_ID } from '../../../src/kernel/ids.js';
import { queryAsOwner } from '../../support/database/owner-queries.js';
import { aToken, rotateToken } from '../../support/ingest/ingest-tokens.js';
import { auditedArtifactChanges } from '../../support/operations/audited-artifacts.js';
import { type AuditedChange, auditedConnectionChanges } from '../../support/operations/audited-connections.js';
import { auditedSyncChanges } from '../../support/operations/audited-syncs.js';
import { auditedTableChanges } from '../../support/operations/audited-tables.js';
import { auditedTapChanges } from '../../support/operations/audited-taps.js';
import { aPublishedTap } from '../../support/operations/tap-calls.js';
import {
  anApiKeyClient,
  aRole,
  clientFor,
  errorCodesOf,
  queryField,
  roleIdOf,
  UPDATE_USER,
  userIdOf,
} from '../../support/service/callers.js';
import { ID, TIME } from '../../support/service/replies.js';
import { aClient, type Client, type Reply } from '../../support/service/service.js';
import { createTestWorkspace } from '../../support/service/test-workspace.js';
import { aConnectedWorkspace } from '../../support/sources/connected-workspace.js';

const ENTRY = 'id at actorKind actorId action objectType objectId requestId details';
const TRAIL = `query ($limit: Int, $offset: Int) { auditEntries(limit: $limit, offset: $offset) { total items { ${ENTRY} } } }`;
const CREATE_KEY = 'mutation ($input: ApiKeyInput!) { createApiKey(input: $input) { key apiKey { id } } }';

interface Entry {
  id: string;
  at: string;
  action: string;
  objectId: string;
  requestId: string;
  actorKind: string;
  actorId: string;
}

const connected = await aConnectedWorkspace();
const { service } = connected;
const owner = service.as('owner');
const ids = {} as Record<'owner' | 'viewer' | 'viewerRole', string>;

beforeAll(async () => {
  ids.owner = await userIdOf(owner, 'owner@demo.test');
  ids.viewer = await userIdOf(owner, 'viewer@demo.test');
  ids.viewerRole = await roleIdOf(owner, 'viewer');
});

/** More entries than any test writes. */
const MANY = 20;

async function trail(client: Client = owner, limit = 250): Promise<{ total: number; items: Entry[] }> {
  return queryField(client, TRAIL, { limit });
}

/** Runs `work`. Returns the audit entries of `work`, newest first. */
async function writtenBy(work: () => Promise<unknown>): Promise<Entry[]> {
  const before = await trail(owner, 1);
  await work();
  const { total, items } = await trail(owner, MANY);
  expect(total - before.total).toBeLessThan(MANY);
  return items.slice(0, total - before.total);
}

async function anInvitation(email: string): Promise<string> {
  const reply = await owner.post('/api/users/invitations', { email, roleIds: [ids.viewerRole] });
  return reply.body.data.id;
}

async function aRequest(connectorName: string): Promise<string> {
  return (await owner.post('/api/connector-requests/connector-requests', { connectorName })).body.data.id;
}

async function aKey(name: string): Promise<{ key: string; id: string }> {
  const input = { name, permissions: ['taps:write'] };
  const { key, apiKey } = await queryField(owner, CREATE_KEY, { input });
  return { key, id: apiKey.id };
}

const CHANGES: Record<string, AuditedChange> = {
  createConnectorRequest: {
    ...{ action: 'connector_request.made', objectType: 'ConnectorRequest', details: { connectorName: 'Acme' } },
    prepare: async () => ({
      query: 'mutation { createConnectorRequest(connectorName: " Acme ") { id } }',
      variables: {},
    }),
  },
  moveConnectorRequest: {
    ...{ action: 'connector_request.moved', objectType: 'ConnectorRequest' },
    details: { from: 'pending', to: 'declined' },
    prepare: async () => ({
      query: 'mutation ($id: Base62Id!) { moveConnectorRequest(id: $id, status: declined) { id } }',
      variables: { id: await aRequest('To be moved') },
    }),
  },
  inviteUser: {
    ...{ action: 'invitation.made', objectType: 'Invitation' },
    details: { email: 'ada@x.test', roleIds: [ID] },
    prepare: async () => ({
      query: 'mutation ($roleIds: [Base62Id!]!) { inviteUser(email: "Ada@x.test", roleIds: $roleIds) { id } }',
      variables: { roleIds: [ids.viewerRole] },
    }),
  },
  revokeInvite: {
    ...{ action: 'invitation.revoked', objectType: 'Invitation', details: { email: 'gone@x.test' } },
    prepare: async () => ({
      query: 'mutation ($id: Base62Id!) { revokeInvite(inviteId: $id) }',
      variables: { id: await anInvitation('gone@x.test') },
    }),
  },
  updateUser: {
    ...{ action: 'user.changed', objectType: 'User', details: { status: 'ACTIVE', requireStrongAuth: false } },
    prepare: async () => ({
      query: UPDATE_USER,
      variables: { id: ids.viewer, input: { status: 'ACTIVE', requireStrongAuth: false } },
    }),
  },
  createRole: {
    ...{ action: 'role.made', objectType: 'Role', details: { name: 'made', permissions: ['taps:write'] } },
    prepare: async () => ({
      query: 'mutation ($input: RoleInput!) { createRole(input: $input) { id } }',
      variables: { input: { name: 'made', permissions: ['taps:write'] } },
    }),
  },
  updateRole: {
    ...{ action: 'role.changed', objectType: 'Role', details: { name: 'changed', permissions: ['taps:*'] } },
    prepare: async () => ({
      query: 'mutation ($id: Base62Id!, $input: RoleInput!) { updateRole(id: $id, input: $input) { id } }',
      variables: {
        id: await aRole(owner, { name: 'to change', permissions: [] }),
        input: { name: 'changed', permissions: ['taps:*'] },
      },
    }),
  },
  deleteRole: {
    ...{ action: 'role.deleted', objectType: 'Role', details: { name: 'to delete' } },
    prepare: async () => ({
      query: 'mutation ($id: Base62Id!) { deleteRole(id: $id) }',
      variables: { id: await aRole(owner, { name: 'to delete', permissions: [] }) },
    }),
  },
  createApiKey: {
    ...{ action: 'api_key.made', objectType: 'ApiKey', details: { name: 'sync', permissions: ['taps:write'] } },
    prepare: async () => ({
      query: CREATE_KEY,
      variables: { input: { name: 'sync', permissions: ['taps:write'] } },
    }),
  },
  revokeApiKey: {
    ...{ action: 'api_key.revoked', objectType: 'ApiKey', details: { name: 'to revoke' } },
    prepare: async () => ({
      query: 'mutation ($id: Base62Id!) { revokeApiKey(id: $id) }',
      variables: { id: (await aKey('to revoke')).id },
    }),
  },
  updateWorkspace: {
    ...{ action: 'workspace.updated', objectType: 'Workspace', details: { name: 'Demonstration' } },
    prepare: async () => ({
      query: 'mutation ($input: WorkspaceInput!) { updateWorkspace(input: $input) { id } }',
      variables: { input: { name: 'Demonstration' } },
    }),
  },
  ...auditedConnectionChanges(connected, owner),
  ...auditedSyncChanges(connected, owner),
  ...auditedArtifactChanges(owner),
  ...auditedTapChanges(owner),
  ...auditedTableChanges(service, owner),
};

/** Returns the id in the response, or the id in the variables if the response has no id. */
function objectOf({ body }: Reply, variables: { id?: string }): string | undefined {
  const [data] = Object.values<{ id?: string; apiKey?: { id: string } }>(body.data);
  return data?.apiKey?.id ?? data?.id ?? variables.id;
}

describe('the audit trail', () => {
  it('has a test for every mutation', async () => {
    const query = '{ __schema { mutationType { fields { name } } } }';
    const { mutationType } = await queryField(owner, query);
    expect(mutationType.fields.map(({ name }: { name: string }) => name).sort()).toEqual(Object.keys(CHANGES).sort());
  });

  it.each(Object.entries(CHANGES))('records %s once, with actor, object and request id', async (_, change) => {
    const { query, variables } = await change.prepare();
    let reply = {} as Reply;
    const written = await writtenBy(async () => (reply = await owner.graphql(query, variables)));
    expect(reply.body.errors).toBeUndefined();
    const { action, objectType, details, isBySystem, hasUnknownObjectId, followUp } = change;
    const same = { id: ID, at: TIME, requestId: reply.headers.get('x-request-id') };
    const [byOwner, bySystem] = [
      { ...same, actorKind: 'user', actorId: ids.owner },
      { ...same, actorKind: 'system', actorId: SYSTEM_USER_ID },
    ];
    const objectId = hasUnknownObjectId ? ID : objectOf(reply, variables);
    expect(written).toEqual([
      ...(followUp ? [{ ...bySystem, objectId: ID, ...followUp }] : []),
      { ...(isBySystem ? bySystem : byOwner), action, objectType, objectId, details },
    ]);
  });

  it.each(Object.entries(CHANGES))('records nothing for %s if it fails', async (_, { prepare }) => {
    const { query, variables } = await prepare();
    const never = 'id' in variables ? { ...variables, id: newId() } : variables;
    const failing = query.replace('" Acme "', '""').replace('Ada@x.test', 'owner@demo.test');
    const input = 'input' in variables && !('id' in variables) ? { name: 'x', permissions: ['none:none'] } : undefined;
    const written = await writtenBy(async () => {
      expect(await errorCodesOf(service.as('viewer'), query, variables)).toEqual(['FORBIDDEN']);
      expect(await errorCodesOf(owner, failing, { ...never, ...(input && { input }) })).toHaveLength(1);
    });
    expect(written).toEqual([]);
  });

  it('records nothing if nothing changes', async () => {
    const id = await anInvitation('again@x.test');
    const key = await aKey('again');
    const revoke = 'mutation ($id: Base62Id!) { revokeApiKey(id: $id) }';
    await owner.delete(`/api/users/invitations/${id}`);
    await queryField(owner, revoke, { id: key.id });
    await aRequest('Again');
    const written = await writtenBy(async () => {
      expect((await owner.delete(`/api/users/invitations/${id}`)).body.data).toBe(true);
      expect(await queryField(owner, revoke, { id: key.id })).toBe(true);
      await aRequest('again');
    });
    expect(written).toEqual([]);
  });

  it('records REST requests with the request id of the response, and no replays', async () => {
    const requestId = randomUUID();
    const headers = { 'x-request-id': requestId, 'idempotency-key': 'once' };
    const invitation = { email: 'once@x.test', roleIds: [ids.viewerRole] };
    const invite = (more: object): Promise<Reply> =>
      owner.post('/api/users/invitations', invitation, { ...headers, ...more });
    const written = await writtenBy(async () => {
      expect((await invite({})).body.meta.requestId).toBe(requestId);
      expect((await invite({ 'x-request-id': randomUUID() })).headers.get('idempotency-replayed')).toBe('true');
    });
    expect(written.map((entry) => entry.requestId)).toEqual([requestId]);
  });

  it('records an API key instead of its creator, and the service when a user joins', async () => {
    const program = await anApiKeyClient(service, ['connector_requests:write']);
    const [{ id }] = (await queryAsOwner(service, 'select id from api_key order by created_at desc limit 1')) as [
      { id: string },
    ];
    const [byProgram] = await writtenBy(() =>
      program.post('/api/connector-requests/connector-requests', { connectorName: 'By a program' }),
    );
    expect(byProgram?.actorKind).toBe('api_key');
    expect(await queryAsOwner(service, 'select 1 from audit_entry where actor_id = $1', [id])).toHaveLength(1);
    const objectId = await anInvitation('joins@x.test');
    const joined = await writtenBy(() => clientFor(service, 'joins@x.test').request('/api/users/me'));
    expect(joined).toMatchObject([{ actorKind: 'system', action: 'invitation.accepted', objectId }]);
  });

  it('contains no API key and no hash of an API key', async () => {
    const { key } = await aKey('secret');
    const used = aClient(service, async () => ({ authorization: `Bearer ${key}` }));
    expect((await used.request('/api/users/me')).status).toBe(200);
    const [{ hash }] = (await queryAsOwner(service, `select hash from api_key where name = 'secret'`)) as [
      { hash: string },
    ];
    const text = JSON.stringify(await queryAsOwner(service, 'select * from audit_entry'));
    expect(text).toContain('"name":"secret"');
    for (const secret of ['wak_', key.slice(26, 69), hash]) expect(text).not.toContain(secret);
  });

  it('contains no ingest token and no hash of an ingest token', async () => {
    const tapId = await aPublishedTap(owner);
    const minted = await aToken(owner, tapId);
    const rotated = (await rotateToken(owner, minted.ingestToken.id)).body.data;
    const hashes = await queryAsOwner(service, 'select hash from ingest_token');
    const text = JSON.stringify(await queryAsOwner(service, 'select * from audit_entry'));
    expect(text).toContain(minted.ingestToken.prefix);
    const secrets = [minted.token.slice(12), rotated.token.slice(12), ...hashes.map(({ hash }) => hash)];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  it.each(['viewer', 'editor', 'operator'] as const)('is hidden from the %s', async (role) => {
    expect(await errorCodesOf(service.as(role), TRAIL)).toEqual(['FORBIDDEN']);
    expect((await trail(service.as('admin'))).total).toBeGreaterThan(0);
  });

  it('lists the entries of the workspace, newest first, in pages', async () => {
    await createTestWorkspace(service, 'paging');
    const boss = service.as('owner', { slug: 'paging' });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await aRole(boss, { name, permissions: [] });
    const pages = await Promise.all([0, 2, 4, 6].map((offset) => queryField(boss, TRAIL, { limit: 2, offset })));
    expect(pages.map(({ total }) => total)).toEqual([6, 6, 6, 6]);
    const names = pages.map(({ items }) => items.map(({ details }: { details: { name: string } }) => details.name));
    // `Paging` is the name of the workspace. Its creation is the oldest entry.
    expect(names).toEqual([['e', 'd'], ['c', 'b'], ['a', 'Paging'], []]);
    const times = (await trail()).items.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
  });
});
