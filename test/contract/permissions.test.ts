import { type GraphQLField, type GraphQLSchema, isNonNullType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../rest-facade/routes/index.js';
import { createOrm } from '../../src/database/orm.js';
import { createSchema } from '../../src/graphql-schema.js';
import { accessRuleOf, otherwiseOf } from '../../src/tenancy/access.js';
import {
  BUILT_IN_ROLES,
  type BuiltInRole,
  hasPermission,
  PERMISSIONS,
  type Permission,
} from '../../src/tenancy/permissions.js';
import {
  asSeenByClient,
  CALLERS,
  type CallerName,
  type FieldRow,
  hasFallback,
  type Marks,
  markOfResolving,
  NESTED_FIELDS,
  PERMISSION_ROWS,
  REQUEST_FIELDS,
  ROOT_FIELDS,
} from '../support/isolation/permission-matrix.js';
import { PermissionProbe } from '../support/isolation/permission-probe.js';
import { anInboundOffer } from '../support/operations/connection-calls.js';
import {
  anApiKeyClient,
  aRole,
  clientFor,
  queryField,
  roleIdOf,
  setUserRoles,
  userIdOf,
} from '../support/service/callers.js';
import { aClient, aService, type Client } from '../support/service/service.js';
import { createTestWorkspace } from '../support/service/test-workspace.js';

/** Rules that require no permission. */
const OPEN = ['public', 'workspace', 'member'];

const service = aService();
const clients = {} as Record<CallerName, Client>;
let schema: GraphQLSchema;
let probe: PermissionProbe;

beforeAll(async () => {
  schema = await createSchema(createOrm('postgresql://nowhere/taproot').getMetadata());
  probe = new PermissionProbe(schema, service);
  for (const role of Object.keys(BUILT_IN_ROLES) as BuiltInRole[]) clients[role] = service.as(role);
  Object.assign(clients, { anonymous: service, key: await anApiKeyClient(service, []) });
});

function namesOf(rows: readonly FieldRow[]): string[] {
  return rows.map(({ field }) => field);
}

async function marksOf(mark: (client: Client) => Promise<string>): Promise<Marks> {
  const marks: Marks = {};
  for (const caller of CALLERS) marks[caller] = await mark(clients[caller]);
  return marks;
}

const requested = new Map<Client, Promise<Marks>>();

/** Returns the marks of the fields of `/graphql`. Sends the requests only once per client. */
function marksOfRequests(client: Client): Promise<Marks> {
  const marks = requested.get(client) ?? probe.marksOfFields(client, namesOf(REQUEST_FIELDS));
  requested.set(client, marks);
  return marks;
}

/** Returns the list that belongs to a nested `…Total` field. Returns undefined for other fields. */
function listOfTotal(name: string): GraphQLField<unknown, unknown> | undefined {
  return name.includes('.') && name.endsWith('Total') ? probe.fieldOf(name.slice(0, -'Total'.length)) : undefined;
}

describe('the table', () => {
  it('has a row for every root field, and no other row', () => {
    const names = [...probe.rootFields().keys()];
    expect(ROOT_FIELDS.map(({ field }) => field).sort()).toEqual(names.sort());
  });

  it('has a row for every nested field with a separate rule, and no other row', () => {
    const types = Object.values(schema.getTypeMap()).filter(isObjectType);
    const nested = types
      .filter((type) => !['Query', 'Mutation', 'Subscription'].includes(type.name))
      .flatMap((type) => Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field] as const))
      .filter(([name, field]) => accessRuleOf(field) && !listOfTotal(name));
    expect(NESTED_FIELDS.map(({ field }) => field).sort()).toEqual(nested.map(([name]) => name).sort());
  });

  it('has the same rule for a total as for its list', () => {
    const types = Object.values(schema.getTypeMap()).filter(isObjectType);
    const totals = types.flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));
    const rules = totals.flatMap((name) => {
      const list = listOfTotal(name);
      return list ? [[name, accessRuleOf(probe.fieldOf(name)), accessRuleOf(list)]] : [];
    });
    expect(rules.filter(([, total, list]) => total !== list)).toEqual([]);
    expect(rules.length).toBeGreaterThan(30);
  });

  it('has a row for every permission, and no other row', () => {
    expect(PERMISSION_ROWS.map(({ permission }) => permission)).toEqual(Object.keys(PERMISSIONS));
  });

  it('has a mark for every caller in every row', () => {
    for (const { marks } of [...ROOT_FIELDS, ...NESTED_FIELDS]) {
      expect(Object.keys(marks)).toEqual(CALLERS);
      expect(Object.values(marks).every((mark) => ['x', '.', 'o'].includes(mark))).toBe(true);
    }
  });

  it('says which root fields have a fallback, which all authenticated callers receive and no other callers', () => {
    const fields = probe.rootFields();
    for (const row of [...ROOT_FIELDS, ...NESTED_FIELDS]) {
      const field = fields.get(row.field);
      const declaresFallback = field !== undefined && otherwiseOf(field) !== undefined;
      expect([row.field, hasFallback(row)]).toEqual([row.field, declaresFallback]);
      if (declaresFallback) expect(CALLERS.filter((caller) => row.marks[caller] === '.')).toEqual(['anonymous']);
    }
  });
});

it.each([
  ...ROOT_FIELDS.filter(({ rule }) => rule !== 'public'),
  ...NESTED_FIELDS.filter(({ rule }) => rule !== 'workspace'),
])('$field is nullable, because a caller may lack access', ({ field }) => {
  expect(isNonNullType(probe.fieldOf(field).type)).toBe(false);
});

describe.each(REQUEST_FIELDS)('$field', ({ field, marks }) => {
  it('is resolved exactly for the callers in the table', async () => {
    expect(await marksOf(async (client) => (await marksOfRequests(client))[field] as string)).toEqual(
      asSeenByClient(marks),
    );
  });
});

describe.each(routes)('$method $path', (route) => {
  it('succeeds exactly for the callers who may use its root field', async () => {
    expect(await marksOf((client) => probe.markOfRoute(client, route))).toEqual(
      asSeenByClient(rowOf(probe.rootFieldOf(route)).marks),
    );
  });
});

function rowOf(field: string): FieldRow {
  return [...ROOT_FIELDS, ...NESTED_FIELDS].find((row) => row.field === field) as FieldRow;
}

describe.each([...ROOT_FIELDS, ...NESTED_FIELDS])('$field', ({ field, rule, marks }) => {
  function resolveFor(caller: { kind: string; grants: ReadonlySet<string> } | undefined): Promise<string> {
    return markOfResolving(probe.fieldOf(field), { caller });
  }

  it('is resolved exactly for the callers in the table', async () => {
    const found: Marks = {};
    for (const name of CALLERS) {
      const kind = name === 'key' ? 'api_key' : 'user';
      found[name] = await resolveFor(name === 'anonymous' ? undefined : { kind, grants: grantsOf(name) });
    }
    expect(found).toEqual(marks);
  });

  it('requires exactly its own permission', async () => {
    const opening: string[] = [];
    for (const permission of Object.keys(PERMISSIONS))
      if ((await resolveFor({ kind: 'user', grants: new Set([permission]) })) === 'x') opening.push(permission);
    expect(opening).toEqual(OPEN.includes(rule) ? Object.keys(PERMISSIONS) : [rule]);
  });
});

function grantsOf(caller: CallerName): ReadonlySet<string> {
  return new Set(caller in BUILT_IN_ROLES ? BUILT_IN_ROLES[caller as BuiltInRole].permissions : []);
}

describe('nested fields with a separate rule, below a root field that requires less', () => {
  const CONNECTOR = '{ platformVendorGroupings(vendorSlug: "github") { connector { id } } }';
  const CREDENTIALS = '{ tenantConnectorInstances { items { credentials { id } } } }';
  const TAPS = 'mutation ($id: Base62Id!) { updateConnectorInstance(id: $id, enabled: true) { taps { id } } }';
  const MOVES = 'mutation { createConnectorRequest(connectorName: "a") { id moves { id } } }';

  it.each([
    ['a connector of the public catalog', CONNECTOR, []],
    ['status changes of a request', MOVES, ['connector_requests:write']],
    ['credentials of a connection', CREDENTIALS, ['connectors:read']],
    ['taps of a connection', TAPS, ['connectors:write']],
  ])('%s: rejected with the path of the field, and resolved with the permission', async (_, query, permissions) => {
    const { id } = (await clients.owner.post('/api/connectors', await anInboundOffer(clients.owner))).body.data;
    const [refused] = (await (await anApiKeyClient(service, permissions)).graphql(query, { id })).body.errors;
    expect([refused.extensions.code, refused.path.length > 1]).toEqual(['FORBIDDEN', true]);
    const all = ['connectors:read', 'connector_requests:read', 'credentials:read'];
    const program = await anApiKeyClient(service, [...permissions, ...all]);
    expect((await program.graphql(query, { id })).body.errors).toBeUndefined();
  });
});

describe('built-in roles', () => {
  it.each(PERMISSION_ROWS)('exactly the callers in the table have $permission', ({ permission, marks }) => {
    const held = Object.entries(BUILT_IN_ROLES).map(([role, { permissions }]) => [
      role,
      hasPermission(new Set<string>(permissions), permission as Permission) ? 'x' : '.',
    ]);
    expect(Object.fromEntries(held)).toEqual(marks);
  });
});

describe("a workspace's own roles", () => {
  const slug = 'roles';
  const owner = service.as('owner', { slug });
  const holder = clientFor(service, 'viewer@roles.test', slug);
  let holderId: string;

  beforeAll(async () => {
    await createTestWorkspace(service, slug);
    holderId = await userIdOf(owner, 'viewer@roles.test');
  });

  async function fieldsWith(roleId: string): Promise<string[]> {
    await setUserRoles(owner, holderId, [roleId]);
    const marks = await probe.marksOfFields(holder, namesOf(REQUEST_FIELDS));
    return namesOf(REQUEST_FIELDS).filter((field) => marks[field] === 'x');
  }

  function fieldsOf(...rules: string[]): string[] {
    const open = [...OPEN, ...rules];
    return namesOf(REQUEST_FIELDS.filter((row) => open.includes(row.rule) || hasFallback(row)));
  }

  it.each(PERMISSION_ROWS)(
    '$permission by itself allows exactly the fields that require it',
    async ({ permission }) => {
      const role = await aRole(owner, { name: permission, permissions: [permission] });
      expect(await fieldsWith(role)).toEqual(fieldsOf(permission));
    },
  );

  it('a role without permissions allows the fields that every member may read', async () => {
    expect(await fieldsWith(await aRole(owner, { name: 'none', permissions: [] }))).toEqual(fieldsOf());
  });

  it('`resource:*` allows everything of the resource, `*` everything', async () => {
    const resource = await aRole(owner, { name: 'resource', permissions: ['connector_requests:*'] });
    const requests = ['read', 'write', 'move'].map((action) => `connector_requests:${action}`);
    expect(await fieldsWith(resource)).toEqual(fieldsOf(...requests));
    const everything = await aRole(owner, { name: 'everything', permissions: ['*'] });
    expect(await fieldsWith(everything)).toEqual(namesOf(REQUEST_FIELDS));
  });

  it('a role has the permissions of all its ancestors', async () => {
    const above = await aRole(owner, { name: 'above', permissions: ['audit:read'] });
    const between = await aRole(owner, { name: 'between', permissions: ['api_keys:write'], parentRoleId: above });
    const below = await aRole(owner, { name: 'below', permissions: ['roles:write'], parentRoleId: between });
    expect(await fieldsWith(above)).toEqual(fieldsOf('audit:read'));
    expect(await fieldsWith(below)).toEqual(fieldsOf('audit:read', 'api_keys:write', 'roles:write'));
  });

  it('an API key has at most the current permissions of its creator', async () => {
    const maker = service.as('admin', { slug });
    const input = { name: 'key', permissions: ['audit:read', 'connectors:read', 'api_keys:write'] };
    const query = 'mutation ($input: ApiKeyInput!) { createApiKey(input: $input) { key } }';
    const { key } = await queryField(maker, query, { input });
    const program = aClient(service, async () => ({ authorization: `Bearer ${key}` }));
    const readable = ['connectors', 'apiKeys', 'auditEntries'];
    const marks = (): Promise<string[]> => Promise.all(readable.map((field) => probe.markOfField(program, field)));
    expect(await marks()).toEqual(['x', 'x', 'x']);
    const admin = await userIdOf(owner, 'admin@roles.test');
    await setUserRoles(owner, admin, [await roleIdOf(owner, 'viewer')]);
    expect(await marks()).toEqual(['x', '.', '.']);
    await setUserRoles(owner, admin, [await roleIdOf(owner, 'admin')]);
    expect(await marks()).toEqual(['x', 'x', 'x']);
  });
});
