import { configLocation } from '../../src/instances/credentials/sealed-credential.js';
import { decodeId, newId } from '../../src/kernel/ids.js';
import type { SecretStore } from '../../src/secrets/secret-store.js';
import type { BenchDatabase } from '../support/bench-database.js';

const BATCH = 500;

const CLONES = `
json_to_recordset(?::json) as c(instance uuid, credential uuid, "instanceId" text, "credentialId" text, config json)`;

/** Returns SQL that copies the row `o` of `from` once per clone, with the values of `changes`. */
const insertCopies = (table: string, from: string, changes: string): string => `
insert into ${table} select r.* from ${CLONES}, ${from},
  jsonb_populate_record(null::${table}, to_jsonb(o) || jsonb_build_object(${changes})) r`;

/** Parameters of each statement: the clones, the id of the workspace, and the id of the original connection. */
const INSERT_ROWS = [
  ['tenant_connector_instance', 'id', `'id', c.instance, 'credential_id', c.credential`],
  ['credential_metadata', 'instance_id', `'id', c.credential, 'instance_id', c.instance`],
  [
    'tenant_connector_tap',
    'instance_id',
    `'id', gen_random_uuid(), 'instance_id', c.instance, 'table_name', o.name || '_' || c.instance`,
  ],
  ['sync_schedule', 'instance_id', `'id', gen_random_uuid(), 'instance_id', c.instance`],
].map(
  ([table = '', key, changes = '']) =>
    `${insertCopies(table, `${table} o`, changes)} where o.tenant_id = ? and o.${key} = ?`,
);

/** Parameters: the clones, the id of the workspace, and the id of the original credential. */
const INSERT_SEALED = `
${insertCopies('sealed_credential', 'sealed_credential o', `'id', gen_random_uuid(), 'credential_id', c.credential, 'config', c.config`)}
where o.tenant_id = ? and o.credential_id = ?`;

/** Parameters: the clones, and the base62 ids of the original connection and credential. */
const INSERT_JOBS = `
${insertCopies(
  'taproot_jobs.job',
  '(select ?::text as instance, ?::text as credential) k, taproot_jobs.job o',
  `'id', gen_random_uuid(), 'created_on', clock_timestamp(),
    'singleton_key', replace(replace(o.singleton_key, k.instance, c."instanceId"), k.credential, c."credentialId"),
    'data', replace(replace(o.data::text, k.instance, c."instanceId"), k.credential, c."credentialId")::jsonb`,
)}
where o.state = 'created' and o.singleton_key in (k.instance, k.credential)`;

export interface OriginalConnection {
  readonly tenantId: string;
  readonly instanceId: string;
  readonly credentialId: string;
}

/**
 * Copies a connection with its credential, taps, schedule and waiting jobs. Each copy has one of `tokens`.
 * Creating thousands of connections with API requests would take minutes.
 */
export async function cloneConnection(
  { orm }: BenchDatabase,
  secrets: SecretStore,
  { tenantId, instanceId, credentialId }: OriginalConnection,
  tokens: readonly string[],
): Promise<void> {
  const [tenant, ...original] = [tenantId, instanceId, credentialId].map(decodeId);
  for (let from = 0; from < tokens.length; from += BATCH) {
    const clones = tokens.slice(from, from + BATCH).map(async (token) => {
      const ids = { instanceId: newId(), credentialId: newId() };
      const config = await secrets.seal(configLocation(tenantId, ids.credentialId), { token });
      return { ...ids, instance: decodeId(ids.instanceId), credential: decodeId(ids.credentialId), config };
    });
    const rows = JSON.stringify(await Promise.all(clones));
    await orm.em.transactional(async (em) => {
      // A connection and its credential refer to each other, so foreign keys would reject the first insert. `replica`
      // disables foreign keys.
      await em.execute('set local session_replication_role = replica');
      for (const sql of INSERT_ROWS) await em.execute(sql, [rows, tenant, original[0]]);
      await em.execute(INSERT_SEALED, [rows, tenant, original[1]]);
      await em.execute(INSERT_JOBS, [rows, instanceId, credentialId]);
    });
  }
}
