import { decodeId, newId } from '../../../src/kernel/ids.js';
import { type SignInResult, signInWithVendor } from '../identity/vendor-sign-in.js';
import type { Client } from '../service/service.js';
import { type ConnectedWorkspace, connect, offerOf } from '../sources/connected-workspace.js';
import type { FakeCredential } from '../vendors/fake-credential.js';
import type { TenantRows } from './tenant-rows.js';

/** Connector that requires a sign-in in the browser. */
const SIGN_IN = 'oauth2-auth-code-pkce';

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;

export class ConnectionFixtures {
  readonly #signIns = new Map<string, SignInResult>();
  readonly #instances = new Map<string, string>();

  constructor(
    private readonly owner: Client,
    private readonly connected: ConnectedWorkspace,
    private readonly slug: string,
    private readonly text: () => string,
  ) {}

  /** Valid for a connection that `connection` creates. */
  get authenticationConfig(): object {
    return this.connected.provider.credentials.client_secret_basic.authenticationConfig;
  }

  offer(): ReturnType<typeof offerOf> {
    return offerOf(this.owner, SIGN_IN);
  }

  /** The connection waits for a sign-in. Returns its id. */
  async connection(): Promise<string> {
    return (await this.#connect(SIGN_IN, this.connected.provider.credentials.client_secret_basic)).id;
  }

  async scheduledConnection(): Promise<string> {
    const id = await this.connection();
    const query = 'mutation ($id: Base62Id!) { setSyncSchedule(instanceId: $id, kind: interval) { id } }';
    await this.#ask(query, { id });
    return id;
  }

  async tapOf(instanceId: string): Promise<string> {
    const query = '{ tenantConnectorTaps(instanceId: "ID", limit: 1) { items { id } } }'.replace('ID', instanceId);
    return (await this.owner.graphql(query)).body.data.tenantConnectorTaps.items[0].id;
  }

  async sync(instanceId: string): Promise<string> {
    const { body } = await this.owner.post(`/api/vendors/tenant-connector-instances/${instanceId}/syncs`, {});
    if (!body.data) throw new Error(JSON.stringify(body));
    return body.data.id;
  }

  /** Creates an untested credential with correct secrets. Returns the id of its credential record. */
  async credential(): Promise<string> {
    return (await this.#connect('bearer', this.connected.vendor.credentials.bearer)).credentialMetadataId;
  }

  /** Undefined if these fixtures have not created the credential. */
  instanceOf(credentialMetadataId: string): string | undefined {
    return this.#instances.get(credentialMetadataId);
  }

  /** Starts a sign-in and authorizes it at the vendor, but does not complete it. Returns its state. */
  async signIn(instanceId: string): Promise<string> {
    const signIn = await signInWithVendor(this.owner, this.connected.provider, instanceId);
    this.#signIns.set(signIn.state, signIn);
    return signIn.state;
  }

  /** For an unknown state, returns an invalid code. */
  completionOf(state: string): SignInResult {
    return this.#signIns.get(state) ?? { state, code: 'none', params: {} };
  }

  /** Creates connections, credentials and sync jobs in many states. */
  async variety(): Promise<{ deleted: string; deletedSync: string; superseded: string; used: string }> {
    const { vendor } = this.connected;
    await this.#connect('basic', vendor.credentials.basic, { username: this.text() });
    await this.#connect('subdomain', { ...vendor.credentials.bearer, ingestionConfig: { subdomain: this.slug } });
    const [tested, refused] = [await this.credential(), await this.#connect('bearer', aWrongCredential())];
    for (const credentialMetadataId of [tested, refused.credentialMetadataId])
      await this.#post('/api/connectors/validate', { credentialMetadataId });
    await this.#post('/api/connectors/configure', { instanceId: refused.id, authenticationConfig: {} });

    const { connectorId } = await offerOf(this.owner, 'session-exchange');
    const baseUrl = `https://${this.slug}.test/api`;
    const query = 'mutation ($id: Base62Id!, $url: String) { setConnectorBaseUrl(id: $id, baseUrl: $url) { id } }';
    await this.#ask(query, { id: connectorId, url: baseUrl });

    const signedIn = await this.connection();
    const used = await this.signIn(signedIn);
    await this.#post('/api/connectors/connector-oauth-complete', this.completionOf(used));
    for (const status of ['running', 'failed', 'queued']) await this.#report(signedIn, status);

    const deleted = await this.connection();
    const deletedSync = await this.sync(deleted);
    await this.#report(deleted, 'queued');
    await this.owner.delete(`/api/vendors/tenant-connector-instances/${deleted}`);
    return { deleted, deletedSync, superseded: refused.credentialMetadataId, used };
  }

  async #connect(key: string, credential: FakeCredential, open: object = {}): Promise<Data> {
    const authenticationConfig = { ...credential.authenticationConfig, ...open };
    const { body } = await connect(this.owner, key, { ...credential, authenticationConfig }, { name: this.text() });
    if (!body.data) throw new Error(JSON.stringify(body));
    this.#instances.set(body.data.credentialMetadataId, body.data.id);
    return body.data;
  }

  async #report(instanceId: string, status: string): Promise<void> {
    const input = { instanceId, externalId: this.text(), status, errorMessage: this.text() };
    await this.#ask('mutation ($input: SyncJobInput!) { recordSyncJob(input: $input) { id } }', { input });
  }

  async #ask(query: string, variables: object): Promise<void> {
    const { body } = await this.owner.graphql(query, variables);
    if (body.errors) throw new Error(JSON.stringify(body));
  }

  async #post(path: string, content: object): Promise<void> {
    const { status, body } = await this.owner.post(path, content);
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
}

function aWrongCredential(): FakeCredential {
  const token = newId();
  return { authenticationConfig: { token }, secrets: [token] };
}

/**
 * Writes `text` to all columns whose text comes from vendors or definitions. The texts of the fake vendor could not
 * reveal a leak, because all workspaces receive the same texts.
 */
export async function writeAsVendor(rows: TenantRows, tenantId: string, text: string): Promise<void> {
  const list = JSON.stringify([text]);
  const statements: [statement: string, ...values: string[]][] = [
    [
      `update credential_metadata set identity = $2, message = $2, granted_scopes = $3, missing_scopes = $3
       where tenant_id = $1 and status = 'superseded'`,
      text,
      list,
    ],
    [
      'update credential_validation set message = $2, details = $3 where tenant_id = $1',
      text,
      JSON.stringify({ identity: text }),
    ],
    ['update tenant_connector_tap set name = $2, table_name = $2 || id where tenant_id = $1', text],
    ['update tenant_connector_tap set object_name = $2 where tenant_id = $1 and instance_id is null', text],
    ['update oauth_flow set scopes = $2 where tenant_id = $1 and used_at is not null', list],
  ];
  for (const [statement, ...values] of statements) await rows.run(statement, [decodeId(tenantId), ...values]);
}

const STEP_COUNTS = {
  ...{ recordsRead: 0, recordsWritten: 0, recordsRejected: 0, bytesRead: 0, requests: 1, slicesDone: 0 },
};

/** Inserts a failed tap run with a slice, a timeline and a cursor. */
export async function writeTapRun(rows: TenantRows, tenantId: string, text: string): Promise<void> {
  const tenant = decodeId(tenantId);
  const [run] = await rows.run(
    `insert into tap_run (id, created_at, created_by, updated_at, updated_by, tenant_id, job_id, tap_id, mode, status, run_until,
       records_read, records_written, records_rejected, bytes_read, requests, slices_done, left_out_parents, error_class, error_message, committed)
     select gen_random_uuid(), now(), j.created_by, now(), j.created_by, j.tenant_id, j.id, t.id, 'append', 'failed', now(),
       0, 0, 0, 0, 0, 0, 0, 'internal', $2, '{}'
     from sync_job j join tenant_connector_tap t on t.tenant_id = j.tenant_id and t.instance_id = j.instance_id
     join tenant_connector_instance i on i.tenant_id = j.tenant_id and i.id = j.instance_id and i.deleted_at is null
     where j.tenant_id = $1 and j.trigger = 'external' limit 1 returning id, tap_id`,
    [tenant, text],
  );
  const json = JSON.stringify({ text });
  await rows.run(
    `insert into sync_slice (id, tenant_id, tap_run_id, ordinal, variables, parent_fields, page_token, state, records_read)
     values (gen_random_uuid(), $1, $2, 0, $3, $3, $3, 'open', 0)`,
    [tenant, run?.id, json],
  );
  const step = { startedAt: new Date(), endedAt: new Date(), outcome: 'failed', errorMessage: text, ...STEP_COUNTS };
  const request = { at: new Date(), method: 'GET', url: text, durationMs: 1, bytes: 0, attempt: 1 };
  await rows.run(
    'insert into tap_run_log (id, tenant_id, tap_run_id, steps, requests) values (gen_random_uuid(), $1, $2, $3, $4)',
    [tenant, run?.id, JSON.stringify([step]), JSON.stringify([request])],
  );
  await rows.run(
    `insert into tap_state (id, created_at, created_by, updated_at, updated_by, tenant_id, tap_id, partition, cursor_time, marks)
     values (gen_random_uuid(), now(), $1, now(), $1, $1, $2, gen_random_uuid(), now(), '{}')`,
    [tenant, run?.tap_id],
  );
}
