import { beforeAll, describe, expect, it } from 'vitest';
import { decodeId, newId } from '../../../src/kernel/ids.js';
import { queryAsOwner } from '../../support/database/owner-queries.js';
import {
  anApiKeyClient,
  aRole,
  errorCodesOf,
  queryField,
  roleIdOf,
  setUserRoles,
  UPDATE_USER,
  userIdOf,
} from '../../support/service/callers.js';
import { anOpenTransaction } from '../../support/service/open-transaction.js';
import { aService, type Client } from '../../support/service/service.js';
import { createTestWorkspace } from '../../support/service/test-workspace.js';

const CREATE = 'mutation ($input: RoleInput!) { createRole(input: $input) { id } }';
const UPDATE = 'mutation ($id: Base62Id!, $input: RoleInput!) { updateRole(id: $id, input: $input) { id } }';
const DELETE = 'mutation ($id: Base62Id!) { deleteRole(id: $id) }';
const ROLES = '{ roles { id name description permissions parentRoleId } }';

const service = aService();
const owner = service.as('owner');
/** An editor who may also create and assign roles. */
const keeper = service.as('editor');
const roleIds = {} as Record<string, string>;
const userIds = {} as Record<string, string>;

beforeAll(async () => {
  for (const name of ['owner', 'admin', 'editor', 'operator', 'viewer']) {
    roleIds[name] = await roleIdOf(owner, name);
    userIds[name] = await userIdOf(owner, `${name}@demo.test`);
  }
  const keeping = { name: 'keeper', permissions: ['roles:write'], parentRoleId: roleIds.editor as string };
  roleIds.keeper = await aRole(owner, keeping);
  await setUserRoles(owner, userIds.editor as string, [roleIds.keeper]);
  await createTestWorkspace(service, 'foreign');
});

async function roleOf(id: string): Promise<object | undefined> {
  return (await queryField(owner, ROLES)).find((role: { id: string }) => role.id === id);
}

function create(client: Client, permissions: unknown, more: object = {}): Promise<string[]> {
  return errorCodesOf(client, CREATE, { input: { name: newId(), permissions, ...more } });
}

function update(client: Client, id: string, permissions: string[], more: object = {}): Promise<string[]> {
  return errorCodesOf(client, UPDATE, { id, input: { name: newId(), permissions, ...more } });
}

function remove(client: Client, id: string): Promise<string[]> {
  return errorCodesOf(client, DELETE, { id });
}

function changeUser(client: Client, name: string, input: object): Promise<string[]> {
  return errorCodesOf(client, UPDATE_USER, { id: userIds[name], input });
}

async function messagesOf(query: string, variables: object): Promise<string[]> {
  const { body } = await owner.graphql(query, variables);
  return (body.errors ?? []).map(({ message }: { message: string }) => message);
}

/** Creates a role as the owner. */
function made(permissions: string[], parentRoleId?: string): Promise<string> {
  return aRole(owner, { name: newId(), permissions, ...(parentRoleId && { parentRoleId }) });
}

describe('a role', () => {
  it('is created with all its fields', async () => {
    const input = { name: 'Night shift', description: 'Sees to jobs.', permissions: ['sync_jobs:write', 'taps:*'] };
    const id = await aRole(owner, { ...input, parentRoleId: roleIds.viewer as string });
    expect(await roleOf(id)).toEqual({ id, ...input, parentRoleId: roleIds.viewer });
  });

  it('is replaced as a whole: omitted fields are cleared', async () => {
    const id = await aRole(owner, {
      name: 'Before',
      permissions: ['taps:write'],
      parentRoleId: roleIds.viewer as string,
    });
    const input = { name: 'After', description: 'New.', permissions: ['audit:read'], parentRoleId: roleIds.editor };
    expect(await errorCodesOf(owner, UPDATE, { id, input })).toEqual([]);
    expect(await roleOf(id)).toEqual({ id, ...input });
    expect(await errorCodesOf(owner, UPDATE, { id, input: { name: 'After', permissions: [] } })).toEqual([]);
    expect(await roleOf(id)).toEqual({ id, name: 'After', permissions: [], description: null, parentRoleId: null });
  });

  it('has a unique name in the workspace, even for 20 concurrent requests', async () => {
    const codes = await Promise.all(
      Array.from({ length: 20 }, () => errorCodesOf(owner, CREATE, { input: { name: 'Once', permissions: [] } })),
    );
    expect(codes.flat()).toEqual(Array(19).fill('CONFLICT'));
    const taken = ['A role with this name already exists.'];
    expect(await messagesOf(CREATE, { input: { name: 'owner', permissions: [] } })).toEqual(taken);
    const input = { name: 'Once', permissions: [] };
    expect(await messagesOf(UPDATE, { id: await made([]), input })).toEqual(taken);
    expect(await create(service.as('owner', { slug: 'foreign' }), [], { name: 'Once' })).toEqual([]);
  });

  it.each([
    ...['', 'taps', 'taps:', 'taps:none', 'none:write', 'none:*', ':*', '*:*', '**', 'TAPS:WRITE', ' taps:write'],
    ...['constructor', 'toString', '__proto__', 'hasOwnProperty', 'taps:write,audit:read'],
  ])('rejects the permission %j', async (permission) => {
    expect(await create(owner, ['taps:write', permission])).toEqual(['BAD_REQUEST']);
    expect(await update(owner, await made([]), [permission])).toEqual(['BAD_REQUEST']);
    const input = { name: 'key', permissions: [permission] };
    const key = 'mutation ($input: ApiKeyInput!) { createApiKey(input: $input) { key } }';
    expect(await errorCodesOf(owner, key, { input })).toEqual(['BAD_REQUEST']);
  });

  it.each([
    ['an empty name', { name: '' }],
    ['a name of 101 characters', { name: 'n'.repeat(101) }],
    ['101 permissions', { permissions: Array(101).fill('taps:write') }],
    ['a description of 1,001 characters', { description: 'd'.repeat(1_001) }],
  ])('rejects %s', async (_, input) => {
    expect(await create(owner, [], input)).toEqual(['BAD_REQUEST']);
  });

  it('cannot inherit from an unknown role or a role of another workspace', async () => {
    const foreign = await roleIdOf(service.as('owner', { slug: 'foreign' }), 'viewer');
    for (const parentRoleId of [newId(), foreign]) {
      expect(await create(owner, [], { parentRoleId })).toEqual(['NOT_FOUND']);
      expect(await update(owner, await made([]), [], { parentRoleId })).toEqual(['NOT_FOUND']);
    }
  });

  it('cannot inherit from itself, directly or indirectly', async () => {
    const top = await made([]);
    const middle = await made([], top);
    const bottom = await made([], middle);
    for (const parentRoleId of [top, middle, bottom])
      expect(await update(owner, top, [], { parentRoleId })).toEqual(['BAD_REQUEST']);
    expect(await roleOf(top)).toMatchObject({ parentRoleId: null });
    expect(await update(owner, bottom, [], { parentRoleId: top })).toEqual([]);
  });

  it('is not visible in another workspace', async () => {
    const id = await made([]);
    const stranger = service.as('owner', { slug: 'foreign' });
    for (const one of [id, newId()]) {
      expect(await update(stranger, one, [])).toEqual(['NOT_FOUND']);
      expect(await remove(stranger, one)).toEqual(['NOT_FOUND']);
    }
    expect(await roleOf(id)).toBeDefined();
  });

  it('can be deleted once it has no users and no role inherits from it', async () => {
    const inUse =
      'The role is in use. First remove the role from its users and from the roles that inherit its permissions.';
    const [held, inherited] = [await made([]), await made([])];
    const heir = await made([], inherited);
    await setUserRoles(owner, userIds.operator as string, [held]);
    for (const id of [held, inherited]) expect(await messagesOf(DELETE, { id })).toEqual([inUse]);
    await setUserRoles(owner, userIds.operator as string, [roleIds.operator as string]);
    for (const id of [heir, inherited, held]) expect(await remove(owner, id)).toEqual([]);
    for (const id of [heir, inherited, held]) expect(await remove(owner, id)).toEqual(['NOT_FOUND']);
  });

  it('cannot be deleted while it is being assigned', async () => {
    const id = await made([]);
    const giving = `insert into user_role (id, tenant_id, user_id, role_id)
      select gen_random_uuid(), tenant_id, $1, id from role where id = $2`;
    const transaction = await anOpenTransaction(service);
    await transaction.query(giving, [decodeId(userIds.operator as string), decodeId(id)]);
    const removal = remove(owner, id);
    await untilWaiting();
    await transaction.end('commit');
    expect(await removal).toEqual(['CONFLICT']);
    expect(await roleOf(id)).toBeDefined();
    await setUserRoles(owner, userIds.operator as string, [roleIds.operator as string]);
    expect(await remove(owner, id)).toEqual([]);
  });

  async function untilWaiting(): Promise<void> {
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await queryAsOwner(service, waiting)).length === 0);
  }

  it.each(['owner', 'admin', 'editor', 'operator', 'viewer'])('%s is built in and immutable', async (name) => {
    const id = roleIds[name] as string;
    const before = await roleOf(id);
    expect(await update(owner, id, [])).toEqual(['CONFLICT']);
    expect(await remove(owner, id)).toEqual(['CONFLICT']);
    expect(await roleOf(id)).toEqual(before);
  });
});

describe('privilege escalation', () => {
  it.each([['api_keys:write'], ['*'], ['audit:*'], ['connectors:*'], ['connector_requests:move']])(
    'a role with %s cannot be created or changed by a user without that permission',
    async (permission) => {
      const id = await made(['taps:write']);
      expect(await create(keeper, ['taps:write', permission])).toEqual(['FORBIDDEN']);
      expect(await update(keeper, id, [permission])).toEqual(['FORBIDDEN']);
      expect(await update(keeper, roleIds.keeper as string, ['roles:write', permission])).toEqual(['FORBIDDEN']);
      expect(await roleOf(id)).toMatchObject({ permissions: ['taps:write'] });
    },
  );

  it('a role cannot inherit permissions that its author lacks', async () => {
    const id = await made([]);
    for (const parentRoleId of [roleIds.admin, roleIds.owner, await made([], await made(['audit:read']))]) {
      expect(await create(keeper, [], { parentRoleId })).toEqual(['FORBIDDEN']);
      expect(await update(keeper, id, [], { parentRoleId })).toEqual(['FORBIDDEN']);
    }
  });

  it('users can grant the permissions that they have, including inherited permissions', async () => {
    expect(await create(keeper, ['roles:write', 'taps:*', 'taps:delete'], { parentRoleId: roleIds.editor })).toEqual(
      [],
    );
    const id = await made(['taps:write'], roleIds.viewer);
    expect(await update(keeper, id, ['artifacts:read'], { parentRoleId: roleIds.keeper })).toEqual([]);
    expect(await changeUser(keeper, 'viewer', { roleIds: [id] })).toEqual([]);
    expect(await changeUser(keeper, 'viewer', { roleIds: [roleIds.viewer] })).toEqual([]);
    expect(await remove(keeper, id)).toEqual([]);
  });

  it('users cannot change or delete a role with more permissions, own or inherited', async () => {
    for (const id of [await made(['audit:read']), await made([], roleIds.admin)]) {
      const before = await roleOf(id);
      expect(await update(keeper, id, [])).toEqual(['FORBIDDEN']);
      expect(await remove(keeper, id)).toEqual(['FORBIDDEN']);
      expect(await roleOf(id)).toEqual(before);
    }
  });

  it.each(['admin', 'owner', 'operator'])('users cannot change %s, who has more permissions', async (name) => {
    for (const input of [{ status: 'SUSPENDED' }, { requireStrongAuth: true }, { roleIds: [] }, {}])
      expect(await changeUser(keeper, name, input)).toEqual(['FORBIDDEN']);
  });

  it('users cannot assign a role with more permissions, not even to themselves', async () => {
    const heir = await made([], roleIds.admin);
    for (const name of ['editor', 'viewer']) {
      for (const roleId of [roleIds.admin, roleIds.owner, roleIds.operator, heir])
        expect(await changeUser(keeper, name, { roleIds: [roleIds.viewer, roleId] })).toEqual(['FORBIDDEN']);
    }
    const names = ({ roles }: { roles: { name: string }[] }): string[] => roles.map(({ name }) => name);
    expect(names(await queryField(keeper, '{ me { roles { name } } }'))).toEqual(['keeper']);
  });

  it('an admin cannot appoint an owner, and an API key cannot grant more than it has', async () => {
    const admin = service.as('admin');
    const program = await anApiKeyClient(service, ['roles:write', 'audit:read']);
    expect(await create(admin, ['*'])).toEqual(['FORBIDDEN']);
    expect(await changeUser(admin, 'viewer', { roleIds: [roleIds.owner] })).toEqual(['FORBIDDEN']);
    expect(await changeUser(admin, 'owner', { status: 'SUSPENDED' })).toEqual(['FORBIDDEN']);
    expect(await create(program, ['taps:write'])).toEqual(['FORBIDDEN']);
    expect(await create(program, ['audit:read'])).toEqual([]);
    expect(await create(admin, ['taps:*', 'api_keys:write'], { parentRoleId: roleIds.admin })).toEqual([]);
  });
});
