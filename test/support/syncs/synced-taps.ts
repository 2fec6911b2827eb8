import { randomUUID } from 'node:crypto';
import type { TapDataKind } from '../../../src/catalog/model/connector-tap.js';
import type { TapFeed } from '../../../src/catalog/model/tap-feed.js';
import type { TapSync } from '../../../src/catalog/model/tap-sync.js';
import type { RestConfig } from '../../../src/catalog/model/transport-option.js';
import type { Traversal } from '../../../src/catalog/model/traversal.js';
import { decodeId, encodeId, newId } from '../../../src/kernel/ids.js';
import { cancelSync } from '../../../src/syncs/lifecycle/cancel-sync.js';
import { type SyncRequest, startSync } from '../../../src/syncs/lifecycle/start-sync.js';
import type { PageToken } from '../../../src/syncs/page-token.js';
import type { PageRead } from '../../../src/syncs/reading/page-read.js';
import type { OpenTap, SyncServices } from '../../../src/syncs/runs/sync-services.js';
import type { SyncStepData } from '../../../src/syncs/runs/sync-step-job.js';
import { runStep } from '../../../src/syncs/steps/run-step.js';
import { TapReadError } from '../../../src/syncs/tap-read-error.js';
import type { TableServices } from '../../../src/tables/table-context.js';
import { systemCaller, writeAsCaller } from '../../../src/tenancy/workspace-transaction.js';
import { type LoadedTables, loadedTables } from '../tables/loaded-tables.js';

type Rows = Awaited<ReturnType<LoadedTables['query']>>;
type Slice = Parameters<OpenTap['readPages']>[0];

/** Yields pages with the records of a tap. May throw like a failing vendor. */
export type FakeTap = (slice: Slice, from: PageToken | undefined, signal: AbortSignal) => AsyncIterable<PageRead>;

export interface FakeTapDefinition {
  readonly sync?: TapSync;
  /** By default, the records are events, which syncs append. Snapshots replace older versions. */
  readonly dataKind?: TapDataKind;
  readonly deletionMarker?: string;
  readonly enabled?: boolean;
  readonly endpoint?: string;
  readonly restConfig?: RestConfig;
  readonly primaryKey?: string;
  readonly feeds?: TapFeed;
  readonly deletionSemantics?: string;
  readonly parentContextFields?: readonly { sourceField: string; targetField: string }[];
}

export interface SyncedConnection {
  readonly tenantId: string;
  readonly instanceId: string;
  readonly credentialId: string;
  /** Ids of the workspace taps, by name. */
  readonly taps: Readonly<Record<string, string>>;
  /** The vendor's data, by name of the tap. */
  readonly vendor: Record<string, FakeTap>;
}

interface FakeRecord {
  readonly id: number;
  readonly updated?: number;
}

const REQUEST = {
  ...{ method: 'GET', url: 'https://vendor.test/items', status: 200, durationMs: 5, bytes: 100, attempt: 1 },
};

/** The cursor of a record is its field `updated`. */
export function aPage(records: readonly FakeRecord[], next?: PageToken): PageRead {
  return {
    records: records.map((record) => ({
      ...{ record: { ...record }, key: String(record.id), cursor: record.updated },
    })),
    ...{ next, bytes: 100, receivedAt: new Date() },
  };
}

/** Each page has one record. `beforePage` may throw. */
export function inPages(
  records: () => readonly FakeRecord[],
  beforePage: (offset: number, signal: AbortSignal) => unknown = () => undefined,
): FakeTap {
  return async function* (_, from, signal) {
    const all = records();
    for (let offset = from?.offset ?? 0; ; offset++) {
      await beforePage(offset, signal);
      const isLast = offset + 1 >= all.length;
      yield aPage(all.slice(offset, offset + 1), isLast ? undefined : { offset: offset + 1 });
      if (isLast) return;
    }
  };
}

export const recordsOf = (...ids: number[]): FakeRecord[] => ids.map((id) => ({ id }));

export const waitError = (): TapReadError =>
  new TapReadError('rate_limited', 'wait', 'Slow down.', { retryAfterMs: 1 });

/** Returns a `beforePage` that throws only at the first read of the page at this offset. */
export function onlyOnce(error: () => Error, at: number): (offset: number) => void {
  let isThrown = false;
  return (offset) => {
    if (offset !== at || isThrown) return;
    isThrown = true;
    throw error();
  };
}

/** Uses a new database for one test file. */
export async function syncedTaps() {
  const world = await loadedTables();
  const { services: tableServices, query } = world;
  const vendors = new Map<string, Record<string, FakeTap>>();
  const servicesWith = (services: TableServices, changes: Partial<OpenTap> = {}): SyncServices => ({
    tableServices: services,
    startsInitialSync: false,
    async openTap({ instanceId, tap, onRequest }) {
      return {
        ...{ concurrency: 3, keepsPositions: true, clockOffsetMs: async () => 0 },
        fanOut: (scope = { variables: {}, parentFields: {} }) => [scope],
        readPages: async function* (slice, from, signal) {
          const read = vendors.get(instanceId)?.[tap.name];
          if (!read) throw new Error(`the vendor has no tap ${tap.name}`);
          for await (const page of read(slice, from, signal)) {
            onRequest({ ...REQUEST, at: new Date() });
            yield page;
          }
        },
        ...changes,
      };
    },
  });
  const services = servicesWith(tableServices);
  const { em, tables } = tableServices;
  const asSystem = <Result>(tenantId: string, work: Parameters<typeof writeAsCaller<Result>>[4]): Promise<Result> =>
    writeAsCaller(em, tables, systemCaller(tenantId), randomUUID(), work);

  /** Returns the id of the copy. */
  async function copyRow(table: string, changes: object, where = 'true'): Promise<string> {
    const id = randomUUID();
    await query(
      `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || $1)).* from ${table} t where ${where} limit 1`,
      [JSON.stringify({ id, ...changes })],
    );
    return id;
  }

  async function createConnection(
    definitions: Readonly<Record<string, FakeTapDefinition>>,
    { traversal, tenantId = newId() }: { traversal?: Traversal; tenantId?: string } = {},
  ): Promise<SyncedConnection> {
    const [tenant, instance, credential] = [decodeId(tenantId), randomUUID(), randomUUID()];
    const connector = await copyRow('connector', {
      ...{ definition_key: randomUUID(), slug: randomUUID(), traversal: traversal ?? null },
    });
    await query(
      `insert into tenant_connector_instance (id, created_at, created_by, updated_at, updated_by, tenant_id, grouping_id, connector_id, enabled, schedule_paused, sync)
       select $1, now(), $1, now(), $1, $2, g.id, $3, true, false, '{"isQueued":false}' from platform_vendor_grouping g limit 1`,
      [instance, tenant, connector],
    );
    await query(
      `insert into credential_metadata (id, created_at, created_by, updated_at, updated_by, tenant_id, instance_id, strategy_id, status)
       select $1, now(), $1, now(), $1, $2, $3, s.id, 'valid' from connector_auth_strategy s limit 1`,
      [credential, tenant, instance],
    );
    await query('update tenant_connector_instance set credential_id = $1 where id = $2', [credential, instance]);
    const taps: Record<string, string> = {};
    for (const [name, { sync = { mode: 'full' }, enabled = true, ...more }] of Object.entries(definitions)) {
      const {
        endpoint = '/',
        restConfig,
        primaryKey = 'id',
        parentContextFields,
        dataKind = 'event',
        deletionMarker,
        feeds = null,
        deletionSemantics = null,
      } = more;
      const definition = await copyRow('connector_tap', {
        ...{ connector_id: connector, name, sync, position: Object.keys(taps).length },
        ...{ schema: { properties: { id: { type: 'integer' }, updated: { type: 'integer' } } } },
        ...{
          transport_options: [{ apiType: 'rest', restConfig: { endpoint, ...restConfig } }],
          retention_policy: null,
        },
        ...{ parent_context_fields: parentContextFields ?? null, quality_config: null },
        ...{ response_extraction: { primaryKey }, data_kind: dataKind, tombstone_values: null },
        ...{ tombstone_marker_column: deletionMarker ?? null, feeds, deletion_semantics: deletionSemantics },
      });
      const tap = randomUUID();
      await query(
        `insert into tenant_connector_tap (id, created_at, created_by, updated_at, updated_by, tenant_id, instance_id, tap_id, name, enabled, table_name)
         values ($1, now(), $1, now(), $1, $2, $3, $4, $5, $6, $7)`,
        [tap, tenant, instance, definition, name, enabled, `${name}_${tap}`],
      );
      taps[name] = encodeId(tap);
    }
    const vendor: Record<string, FakeTap> = {};
    vendors.set(encodeId(instance), vendor);
    return { tenantId, instanceId: encodeId(instance), credentialId: encodeId(credential), taps, vendor };
  }

  const waitingSteps = ({ tenantId }: { tenantId: string }): Promise<Rows> =>
    query(
      `select id, data, priority from taproot_jobs.job where name = 'sync-tap-step' and state = 'created' and data ->> 'tenantId' = $1
       and start_after <= now() + interval '1 second' order by created_on, id`,
      [tenantId],
    );

  return {
    ...{ world, services, servicesWith, createConnection, waitingSteps },
    start: ({ tenantId, instanceId }: SyncedConnection, request: Partial<SyncRequest> = {}): Promise<string> =>
      asSystem(tenantId, (tx) => startSync(tx, tableServices, instanceId, { trigger: 'manual', ...request })),
    cancel: ({ tenantId }: SyncedConnection, jobId: string): Promise<void> =>
      asSystem(tenantId, (tx) => cancelSync(tx, tableServices, jobId)),
    step: (
      data: SyncStepData,
      { attempt = 1, signal = new AbortController().signal, using = services } = {},
    ): Promise<void> => runStep(using, data, { id: randomUUID(), attempt, signal }),

    /** Runs the waiting steps of the workspace, and the steps that they enqueue. Stops at the first failure. */
    async runSteps(connection: SyncedConnection, { attempt = 1, using = services } = {}): Promise<void> {
      for (;;) {
        const [job] = await waitingSteps(connection);
        if (!job) return;
        const setState = (state: string) =>
          query('update taproot_jobs.job set state = $1 where id = $2', [state, job.id]);
        await setState('active'); // As in a worker, the job is active, so that the step can enqueue the next job.
        try {
          await runStep(using, job.data, { id: job.id, attempt, signal: new AbortController().signal });
        } catch (error) {
          await setState('created');
          throw error;
        }
        await query('delete from taproot_jobs.job where id = $1', [job.id]);
      }
    },
    async job(jobId: string): Promise<Rows[number]> {
      return (await query('select * from sync_job where id = $1', [decodeId(jobId)]))[0] as Rows[number];
    },
    /** Returns the newest run of a tap. */
    async run({ taps }: SyncedConnection, name: string): Promise<Rows[number]> {
      const sql = 'select * from tap_run where tap_id = $1 order by created_at desc limit 1';
      return (await query(sql, [decodeId(taps[name] as string)]))[0] as Rows[number];
    },
    async idsIn({ taps }: SyncedConnection, name: string): Promise<number[]> {
      const rows = await rowsIn(taps[name] as string);
      return rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
    },
    rowsOf: ({ taps }: SyncedConnection, name: string) => rowsIn(taps[name] as string),
    /** `sql` selects from `changes`, which contains the rows of the table. */
    select: ({ taps }: SyncedConnection, name: string, sql: string) => rowsIn(taps[name] as string, sql),
  };

  async function rowsIn(tapId: string, sql = 'select * from changes order by id'): Promise<Record<string, unknown>[]> {
    const files = await query(
      `select f.tenant_id, f.table_id, f.id from table_file f join catalog_table t on t.id = f.table_id
       where t.tap_id = $1 and f.kind = 'data' and f.state = 'live'`,
      [decodeId(tapId)],
    );
    if (files.length === 0) return [];
    const paths = files.map((f) => `'${world.folder}/files/tables/${f.tenant_id}/${f.table_id}/data/${f.id}.parquet'`);
    return tableServices.duckdb.rows(
      `with changes as (from read_parquet([${paths.join(', ')}], union_by_name = true)) ${sql.replace(/^with /, ', ')}`,
    );
  }
}
