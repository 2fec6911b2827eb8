import { decodeId, newId } from '../../../src/kernel/ids.js';
import { issueLocalToken } from '../../../src/tenancy/authentication/local-issuer.js';
import { UPLOAD_PATH } from '../artifacts/artifact-requests.js';
import { aClient, type Client, type TestService } from '../service/service.js';
import type { ConnectedWorkspace } from '../sources/connected-workspace.js';
import { VENDOR_SLUG } from '../vendors/fake-vendor-definitions.js';
import { ConnectionFixtures, writeAsVendor, writeTapRun } from './connection-fixtures.js';
import { QualityFixtures } from './quality-fixtures.js';
import { TableFixtures } from './table-fixtures.js';
import type { TenantRows } from './tenant-rows.js';

type SharedObjectKind = 'connector' | 'connectorTap' | 'grouping' | 'strategy' | 'vendor';

/** `state` is the state of a sign-in with a vendor. The connection `incompleteInstance` lacks its `connectorTap`. */
export type ObjectKind =
  | 'user'
  | 'role'
  | 'invitation'
  | 'apiKey'
  | 'connectorRequest'
  | 'instance'
  | 'incompleteInstance'
  | 'sync'
  | 'syncedInstance'
  | 'syncedTap'
  | 'credential'
  | 'state'
  | 'artifact'
  | 'inferredArtifact'
  | 'tap'
  | 'table'
  | 'contract'
  | 'series'
  | 'ingestToken'
  | SharedObjectKind;

/** Strings of objects in both workspaces. The responses in each workspace may therefore contain them. */
export const SHARED_TEXTS = { role: 'Common role', email: 'common@example.test', connector: 'Common connector' };

/** A workspace with objects of every kind. All free texts of these objects contain the slug. */
export interface IsolationWorkspace {
  readonly slug: string;
  readonly tenantId: string;
  readonly owner: Client;
  readonly apiKey: string;
  readonly live: Readonly<Record<ObjectKind, string>>;
  /** Ids of revoked, closed, deactivated or deleted objects. */
  readonly ended: Readonly<Partial<Record<ObjectKind, string>>>;
  readonly make: WorkspaceFixtures;
}

export class WorkspaceFixtures {
  readonly connections: ConnectionFixtures;
  readonly tables: TableFixtures;
  readonly quality: QualityFixtures;
  /** Strings that occur in files, but in no database row. */
  readonly written: string[] = [];

  constructor(
    private readonly owner: Client,
    private readonly slug: string,
    connected: ConnectedWorkspace,
  ) {
    this.connections = new ConnectionFixtures(owner, connected, slug, () => this.text());
    this.tables = new TableFixtures(connected.service, this);
    this.quality = new QualityFixtures(this);
  }

  // biome-ignore lint/suspicious/noExplicitAny: data of any shape
  async ask(query: string, variables: object = {}): Promise<any> {
    const { body } = await this.owner.graphql(query, variables);
    if (!body.data || body.errors) throw new Error(JSON.stringify(body));
    return Object.values(body.data)[0];
  }

  text(): string {
    return `${this.slug} ${newId()}`;
  }

  email(): string {
    return `${newId().toLowerCase()}@${this.slug}.test`;
  }

  async role(input: object = {}): Promise<string> {
    const all = { name: this.text(), description: this.text(), permissions: ['connectors:read'], ...input };
    return (await this.ask('mutation ($all: RoleInput!) { createRole(input: $all) { id } }', { all })).id;
  }

  async invitation(email = this.email(), role = 'viewer'): Promise<string> {
    const query =
      'mutation ($email: String!, $roleIds: [Base62Id!]!) { inviteUser(email: $email, roleIds: $roleIds) { id } }';
    return (await this.ask(query, { email, roleIds: [await this.builtInRole(role)] })).id;
  }

  async apiKey(): Promise<{ id: string; key: string }> {
    const query = 'mutation ($input: ApiKeyInput!) { createApiKey(input: $input) { key apiKey { id } } }';
    const { key, apiKey } = await this.ask(query, { input: { name: this.text(), permissions: ['*'] } });
    return { id: apiKey.id, key };
  }

  async connectorRequest(connectorName = this.text()): Promise<string> {
    const query =
      'mutation ($name: String!, $notes: String) { createConnectorRequest(connectorName: $name, notes: $notes) { id } }';
    return (await this.ask(query, { name: connectorName, notes: this.text() })).id;
  }

  /** The file name, a column name and a value contain the same unique text. */
  aFile(): File {
    const text = this.text();
    this.written.push(text);
    return new File([`id,${text}\n1,${text}\n`], `${text}.csv`);
  }

  async artifact(): Promise<string> {
    const data = { path: `/${this.slug}` };
    const { status, text, body } = await this.owner.post(UPLOAD_PATH, { ...data, file: this.aFile() });
    if (status !== 200) throw new Error(text);
    return body.data.artifact.id;
  }

  async movedRequest(statuses: readonly string[], outcome: object = {}): Promise<string> {
    const id = await this.connectorRequest();
    const query = `mutation ($id: Base62Id!, $status: ConnectorRequestStatus!, $note: String, $connector: Base62Id) {
      moveConnectorRequest(id: $id, status: $status, note: $note, resultConnectorId: $connector) { id } }`;
    for (const status of statuses)
      await this.ask(query, { id, status, note: this.text(), ...(status === 'completed' && outcome) });
    return id;
  }

  async connectorTap(connectorId: string): Promise<string> {
    return (await this.ask(`{ connector(id: "${connectorId}") { taps { id } } }`)).taps[0].id;
  }

  /** Creates a connection without the first tap of its connector. */
  async incompleteInstance(): Promise<string> {
    const id = await this.connections.connection();
    const query = `{ tenantConnectorInstance(id: "${id}") { connector { id } taps { id tap { id } } } }`;
    const { connector, taps } = await this.ask(query);
    const first = await this.connectorTap(connector.id);
    const { id: tapId } = taps.find(({ tap }: { tap: { id: string } }) => tap.id === first);
    await this.ask(`mutation { deleteTenantConnectorTap(id: "${tapId}") }`);
    return id;
  }

  async builtInRole(name: string): Promise<string> {
    return (await this.ask('{ roles { id name } }')).find((role: { name: string }) => role.name === name).id;
  }

  async userOf(email: string): Promise<string> {
    const { items } = await this.ask('{ users(limit: 250) { items { id email } } }');
    return items.find((user: { email: string }) => user.email === email).id;
  }
}

export const IN_PROGRESS = ['under_review', 'accepted', 'in_progress'];

/**
 * Fills an existing workspace. With `takesCommon`, also uses `SHARED_TEXTS`. `joins` is the email address of a person
 * who becomes an owner.
 */
export async function createIsolationWorkspace(
  connected: ConnectedWorkspace,
  rows: TenantRows,
  slug: string,
  { takesCommon = false, joins = '' } = {},
): Promise<IsolationWorkspace> {
  const { service } = connected;
  const owner = service.as('owner', { slug });
  const make = new WorkspaceFixtures(owner, slug, connected);
  const tenantId = (await make.ask('{ me { tenantId } }')).tenantId;
  const offer = await make.connections.offer();
  const [pending, revoked, accepted] = [make.email(), make.email(), joins || make.email()];
  const [key, , revokedKey] = [await make.apiKey(), await make.apiKey(), await make.apiKey()];
  const syncedInstance = await make.connections.connection();
  const live = {
    user: await make.userOf(`viewer@${slug}.test`),
    role: await make.role({ parentRoleId: await make.role() }),
    invitation: await make.invitation(pending),
    apiKey: key.id,
    connectorRequest: await make.movedRequest(['under_review']),
    instance: await make.connections.scheduledConnection(),
    ...{ syncedInstance, sync: await make.connections.sync(syncedInstance) },
    syncedTap: await make.connections.tapOf(syncedInstance),
    credential: await make.connections.credential(),
    state: await make.connections.signIn(await make.connections.connection()),
    artifact: await make.artifact(),
    inferredArtifact: await make.tables.inferredArtifact(),
    ...{ connector: offer.connectorId, grouping: offer.groupingId, strategy: offer.authenticationStrategyId },
    ...{ vendor: VENDOR_SLUG, connectorTap: await make.connectorTap(offer.connectorId) },
    incompleteInstance: await make.incompleteInstance(),
  };
  const { deleted, deletedSync, superseded, used } = await make.connections.variety();
  const tables = await make.tables.variety();
  const { live: watched, ended: unwatched } = await make.quality.variety(rows, tables.live.table, tables.ended.table);
  const deletedFile = await make.artifact();
  const ended = {
    invitation: await make.invitation(revoked),
    user: await make.userOf(revoked),
    role: await make.role(),
    apiKey: revokedKey.id,
    connectorRequest: await make.movedRequest(['declined']),
    ...{ instance: deleted, incompleteInstance: deleted, sync: deletedSync, credential: superseded, state: used },
    ...{ artifact: deletedFile, inferredArtifact: deletedFile, ...tables.ended, ...unwatched },
  };
  await make.ask(`mutation { deleteArtifact(artifactId: "${deletedFile}") }`);
  await make.artifact();
  await make.ask(`mutation { revokeInvite(inviteId: "${ended.invitation}") }`);
  await make.ask(`mutation { revokeApiKey(id: "${ended.apiKey}") }`);
  await make.ask(`mutation { deleteRole(id: "${ended.role}") }`);
  await make.movedRequest([...IN_PROGRESS, 'completed'], { connector: offer.connectorId });
  await make.connectorRequest();
  await make.invitation(accepted, 'owner');
  await signIn(service, slug, accepted);
  await owner.post(
    '/api/connector-requests/connector-requests',
    { connectorName: make.text() },
    { 'idempotency-key': `${slug}-once` },
  );
  if (takesCommon) {
    await make.role({ name: SHARED_TEXTS.role });
    await make.invitation(SHARED_TEXTS.email);
    await make.connectorRequest(SHARED_TEXTS.connector);
  }
  const whatIsNoFreeText = 'update "user" set locale = $2, timezone = $2 where tenant_id = $1';
  await rows.run(whatIsNoFreeText, [decodeId(tenantId), make.text()]);
  const input = { oauthRedirectUris: [`https://${slug}.test/callback`] };
  await make.ask('mutation ($input: WorkspaceInput!) { updateWorkspace(input: $input) { id } }', { input });
  await writeAsVendor(rows, tenantId, make.text());
  await writeTapRun(rows, tenantId, make.text());
  return { slug, tenantId, owner, apiKey: key.key, live: { ...live, ...tables.live, ...watched }, ended, make };
}

async function signIn(service: TestService, slug: string, email: string): Promise<void> {
  const client = aClient(service, async () => ({
    authorization: `Bearer ${await issueLocalToken(service.dataDir, email)}`,
    'x-tenant': slug,
  }));
  const { status } = await client.request('/api/users/me');
  if (status !== 200) throw new Error(`${email} could not sign in`);
}
