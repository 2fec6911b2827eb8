import { encodeId } from '../../src/kernel/ids.js';
import { DEMO_WORKSPACE } from '../../src/tenancy/workspaces/seed-demo.js';
import { call, type PullBench } from '../pull/pull-bench.js';
import { printProgress } from '../support/print-figure.js';

interface Size {
  readonly connections: number;
  readonly tables: number;
}

/** Of every 50 connections, one has an invalid credential and one has a failed sync. */
const ONE_IN = 50;

const NAME_CONNECTIONS = `
update tenant_connector_instance set name = 'Connection ' || n.nth
from (select id, row_number() over (order by id) as nth from tenant_connector_instance) n
where n.id = tenant_connector_instance.id`;

const INVALIDATE_CREDENTIALS = `
update credential_metadata set status = 'invalid', error_code = 'auth_failed'
where id in (select id from (select id, row_number() over (order by id) as nth from credential_metadata) n where nth % ${ONE_IN} = 1)`;

const INSERT_SYNCS = `
insert into sync_job (id, tenant_id, instance_id, trigger, status, run_until, started_at, finished_at, records_read, records_written,
  records_rejected, created_at, created_by, updated_at, updated_by, quality_degraded, is_initial)
select gen_random_uuid(), tenant_id, id, 'schedule', case when row_number() over (order by id) % ${ONE_IN} = 2 then 'failed' else 'succeeded' end,
  now(), now(), now(), 1000, 1000, 0, now(), created_by, now(), created_by, false, false
from tenant_connector_instance`;

const INSERT_RUNS = `
insert into tap_run (id, tenant_id, job_id, tap_id, mode, status, run_until, started_at, finished_at, is_resync, created_at, created_by,
  updated_at, updated_by, records_read, records_written, records_rejected, bytes_read, requests, slices_done, left_out_parents, committed)
select gen_random_uuid(), j.tenant_id, j.id, t.id, 'append', j.status, now(), now(), now(), false, now(), j.created_by, now(), j.created_by,
  1000, 1000, 0, 100000, 10, 1, 0, '{}'
from sync_job j join tenant_connector_tap t on t.tenant_id = j.tenant_id and t.instance_id = j.instance_id`;

const SAVE_STATES = `
update tenant_connector_instance i set last_sync_status = j.status, last_sync_at = j.finished_at, sync = json_build_object(
  'isQueued', false, 'finished', json_build_object('status', j.status, 'qualityDegraded', false), 'succeededAt', j.finished_at)
from sync_job j where j.tenant_id = i.tenant_id and j.instance_id = i.id`;

const PROMOTE_TAPS = `
update tenant_connector_tap set promoted_at = now()
where id in (select id from tenant_connector_tap order by id limit ?)`;

const INSERT_TABLES = `
insert into catalog_table (id, tenant_id, created_at, created_by, updated_at, updated_by, tap_id, schema, schema_version, rows, bytes,
  file_count, rejected_rows, first_received_at, last_received_at)
select gen_random_uuid(), tenant_id, now(), created_by, now(), created_by, id, '{"fields":[{"name":"id","type":"Integer"}]}', 1, 1000,
  100000, 0, 0, now(), now()
from tenant_connector_tap where promoted_at is not null`;

const STEPS = [NAME_CONNECTIONS, INVALIDATE_CREDENTIALS, INSERT_SYNCS, INSERT_RUNS, SAVE_STATES];

const SELECT_IDS = `
select (select instance_id from sync_job order by id limit 1) as connection, (select id from sync_job order by id limit 1) as sync,
  (select id from catalog_table order by id limit 1) as table`;

export async function fillConsoleWorkspace(
  bench: PullBench,
  origin: string,
  { connections, tables }: Size,
): Promise<Readonly<Record<string, string>>> {
  const headers = await bench.headers();
  const original = await bench.connect(origin, headers, 'token-0');
  const path = `/api/vendors/tenant-connector-instances/${original}/schedule`;
  await call(origin, headers, 'PUT', path, { kind: 'interval', intervalMinutes: 1_440 });
  await bench.waitForCredentialTests();
  await bench.cloneConnection(
    original,
    Array.from({ length: connections - 1 }, (_, nth) => `token-${nth + 1}`),
  );
  printProgress('connections created');
  const database = bench.database.orm.em.getConnection();
  for (const sql of STEPS) await database.execute(sql);
  await database.execute(PROMOTE_TAPS, [tables]);
  for (const sql of [INSERT_TABLES, 'vacuum analyze']) await database.execute(sql);
  printProgress(`workspace ${DEMO_WORKSPACE} filled`);
  const [ids = {}] = await database.execute<Record<string, string>[]>(SELECT_IDS);
  const [connection, sync, table] = ['connection', 'sync', 'table'].map((name) => encodeId(ids[name] as string));
  return {
    ...{ Home: '', Connections: '/connections', 'Connections by name': '/connections?name=77' },
    ...{ 'Connections that need attention': '/connections?status=attention', Connection: `/connections/${connection}` },
    ...{
      Sync: `/syncs/${sync}`,
      Tables: '/tables',
      'Tables by name': '/tables?name=a7',
      Table: `/tables/${table}?tab=columns`,
    },
    ...{ Quality: '/quality', Files: '/files', Ingest: '/ingest', Catalog: '/catalog', Vendor: '/catalog/bench' },
    ...Object.fromEntries(
      ['people', 'roles', 'keys', 'redirects', 'audit', 'requests'].map((tab) => [
        `Settings, ${tab}`,
        `/settings?tab=${tab}`,
      ]),
    ),
  };
}
