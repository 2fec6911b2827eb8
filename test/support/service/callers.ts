import { decodeId, newId } from '../../../src/kernel/ids.js';
import { generateApiKey, hashApiKey } from '../../../src/tenancy/api-keys/api-key-format.js';
import { DEMO_WORKSPACE } from '../../../src/tenancy/workspaces/seed-demo.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { localTokenOf } from './local-token.js';
import { aClient, type Client, type TestService } from './service.js';

/** Returns the value of the only field of a GraphQL query. Throws if the response has errors. */
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary responses
export async function queryField(client: Client, query: string, variables?: object): Promise<any> {
  const { body } = await client.graphql(query, variables);
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return Object.values(body.data)[0];
}

/** Empty if the request succeeded. */
export async function errorCodesOf(client: Client, query: string, variables?: object): Promise<string[]> {
  const { body } = await client.graphql(query, variables);
  return (body.errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);
}

/** Returns a client with this verified email address, which may belong to no user of the workspace. */
export function clientFor(service: { url: string; dataDir: string }, email: string, slug = DEMO_WORKSPACE): Client {
  return aClient(service, async () => ({
    authorization: `Bearer ${await localTokenOf(service.dataDir, email)}`,
    'x-tenant': slug,
  }));
}

/** Returns a client with an API key. Unlike the service, this function accepts empty `permissions`. */
export async function anApiKeyClient(
  service: TestService,
  permissions: string[],
  slug = DEMO_WORKSPACE,
): Promise<Client> {
  const { id, tenantId } = await queryField(service.as('owner', { slug }), '{ me { id tenantId } }');
  const key = generateApiKey(tenantId);
  const ids = [newId(), tenantId, id].map(decodeId);
  await queryAsOwner(
    service,
    `insert into api_key (id, tenant_id, created_by, updated_by, created_at, updated_at, name, ending, hash, permissions)
     values ($1, $2, $3, $3, now(), now(), 'test', $4, $5, $6)`,
    [...ids, key.slice(-4), hashApiKey(key), JSON.stringify(permissions)],
  );
  return aClient(service, async () => ({ authorization: `Bearer ${key}` }));
}

/** Newest first. Searches the latest 250 entries. */
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary responses
export async function auditEntriesOf(owner: Client, objectId: string): Promise<any[]> {
  const query = '{ auditEntries(limit: 250) { items { actorKind actorId action objectId details } } }';
  const { items } = await queryField(owner, query);
  return items.filter((entry: { objectId: string }) => entry.objectId === objectId);
}

export async function roleIdOf(client: Client, name: string): Promise<string> {
  const roles: { id: string; name: string }[] = await queryField(client, '{ roles { id name } }');
  const role = roles.find((one) => one.name === name);
  if (!role) throw new Error(`the role ${name} does not exist`);
  return role.id;
}

export async function userIdOf(client: Client, email: string): Promise<string> {
  const { items } = await queryField(client, '{ users(limit: 250) { items { id email } } }');
  const user = items.find((one: { email: string }) => one.email === email);
  if (!user) throw new Error(`the user ${email} does not exist`);
  return user.id;
}

export async function aRole(
  client: Client,
  input: { name: string; permissions: string[]; parentRoleId?: string },
): Promise<string> {
  const role = await queryField(client, 'mutation ($input: RoleInput!) { createRole(input: $input) { id } }', {
    input,
  });
  return role.id;
}

export const UPDATE_USER =
  'mutation ($id: Base62Id!, $input: UserInput!) { updateUser(id: $id, input: $input) { id status requireStrongAuth roles { name } } }';

export async function setUserRoles(client: Client, id: string, roleIds: string[]): Promise<void> {
  await queryField(client, UPDATE_USER, { id, input: { roleIds } });
}
