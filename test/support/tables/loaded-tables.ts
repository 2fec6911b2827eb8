import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { KnownDefinitions } from '../../../src/catalog/loading/known-definitions.js';
import { composeQuality } from '../../../src/compose-quality.js';
import { createOrm } from '../../../src/database/orm.js';
import { Semaphore } from '../../../src/kernel/concurrency/semaphore.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import type { FileStore } from '../../../src/kernel/files/file-store.js';
import { FolderStore } from '../../../src/kernel/files/folder-store.js';
import { decodeId, encodeId, newId } from '../../../src/kernel/ids.js';
import { Jobs } from '../../../src/kernel/jobs/jobs.js';
import { runTenantTransaction } from '../../../src/kernel/reading/tenant-transaction.js';
import { DuckDb, sqlText } from '../../../src/tables/duckdb.js';
import { ensureTable } from '../../../src/tables/ensure-table.js';
import { commitTableFiles } from '../../../src/tables/files/commit-table-files.js';
import { type TableLease, withTableLease } from '../../../src/tables/files/table-lease.js';
import { writeTableFiles } from '../../../src/tables/files/write-table-files.js';
import { LocalFileCache } from '../../../src/tables/local-file-cache.js';
import { StagingArea } from '../../../src/tables/staging/staging-area.js';
import type { TableServices } from '../../../src/tables/table-context.js';
import type { GateDecision, IncomingRows } from '../../../src/tables/table-hooks.js';
import type { TableSchema } from '../../../src/tables/table-schema.js';
import type { WrittenFile } from '../../../src/tables/written-file.js';
import { StorageQuota } from '../../../src/tenancy/storage-quota.js';
import { aDatabase } from '../database/database.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { runtimeUrlOf } from '../database/runtime-role.js';

export interface LoadedTable {
  readonly tenantId: string;
  readonly tableId: string;
  readonly tapId: string;
  readonly schema: TableSchema;
}

export const WORD_SCHEMA: TableSchema = { fields: [{ name: 'word', type: 'String' }] };

/** Uses a new database and folder for one test file. */
export async function loadedTables() {
  const database = await aDatabase();
  const url = await runtimeUrlOf(database);
  const folder = await mkdtemp(join(tmpdir(), 'taproot-tables-'));
  const orm = createOrm(url);
  const tables = new EntityTables(orm.getMetadata());
  const jobs = new Jobs({ databaseUrl: url, report: () => undefined });
  await jobs.start([]);
  const working = join(folder, 'working');
  await mkdir(working);
  const store = await FolderStore.open(join(folder, 'files'));
  const duckdb = new DuckDb({ folder });
  const context = {
    ...{ em: orm.em, tables, store, jobs, folder: working, duckdb, writer: duckdb, smallWriter: duckdb },
    ...{ localFiles: new LocalFileCache(store, working), previewSlots: new Semaphore(1) },
    maxMergedTableBytes: 2 ** 36,
    definitions: new KnownDefinitions(),
    storage: new StorageQuota(undefined),
    report: (error: unknown) => {
      throw error;
    },
  };
  const { quality, hooks } = composeQuality(context);
  const services: TableServices = { ...context, hooks };
  const query = (sql: string, values?: unknown[]) => queryAsOwner({ databaseUrl: database.url }, sql, values);
  afterAll(async () => {
    await jobs.stop();
    await services.localFiles.close();
    await duckdb.close();
    await quality.inspection.duckdb.close();
    await orm.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  return {
    ...{ services, quality, query, folder, databaseUrl: url },
    filesInStore: async (): Promise<string[]> => {
      const entries = await readdir(join(folder, 'files', 'tables'), { recursive: true }).catch(() => []);
      return entries.filter((name) => name.endsWith('.parquet')).sort();
    },
    async aTable(schema = WORD_SCHEMA, { retentionDays }: { retentionDays?: number } = {}): Promise<LoadedTable> {
      const [tenantId, tapId] = [newId(), newId()];
      await query(
        `insert into tenant_connector_tap (id, created_at, created_by, updated_at, updated_by, tenant_id, tap_id, name, enabled, table_name)
         select $1, now(), $1, now(), $1, $2, $3, 'words', true, 'words'`,
        [
          decodeId(tapId),
          decodeId(tenantId),
          retentionDays === undefined ? null : await definitionWithRetention(retentionDays),
        ],
      );
      const table = await runTenantTransaction(services.em, tables, tenantId, ({ em }) =>
        ensureTable(em, tenantId, tapId, schema),
      );
      return { tenantId, tapId, tableId: table.id, schema };
    },
  };
  /** Changes the retention period of a tap definition to `days`. */
  async function definitionWithRetention(days: number): Promise<string> {
    const [row] = await query(
      `update connector_tap set retention_policy = $1 where id = (
         select id from connector_tap where coalesce(retention_policy ->> 'retentionDays', $2) = $2 order by id limit 1
       ) returning id`,
      [JSON.stringify({ retentionDays: days }), `${days}`],
    );
    return row?.id;
  }
}

export type LoadedTables = Awaited<ReturnType<typeof loadedTables>>;

export function withFileStore(services: TableServices, others: Partial<FileStore>): TableServices {
  const { store } = services;
  const own: FileStore = {
    put: (...args) => store.put(...args),
    readHead: (...args) => store.readHead(...args),
    open: (key) => store.open(key),
    copyTo: (...args) => store.copyTo(...args),
    sizeOf: (key) => store.sizeOf(key),
    delete: (key) => store.delete(key),
    urlOf: (key) => store.urlOf(key),
  };
  return { ...services, store: { ...own, ...others } };
}

interface LoadOptions {
  readonly receivedAt?: string;
  readonly schema?: TableSchema;
  readonly schemaVersion?: number;
}

/** Uploads rows as files that are not part of the table yet. */
export async function writeFiles(
  services: TableServices,
  table: LoadedTable,
  rows: readonly (readonly (string | null)[])[],
  { receivedAt = '2026-02-03T04:05:06.789Z', schema = table.schema, schemaVersion = 1 }: LoadOptions = {},
): Promise<WrittenFile[]> {
  const staged = await StagingArea.open(join(services.folder, randomUUID()), schema);
  try {
    for (const row of rows) staged.add({ batch: randomUUID(), row: 1, receivedAt }, row);
    return await writeTableFiles(services, { ...table, schema, schemaVersion, enforcesQuota: false }, staged);
  } finally {
    await staged.close();
  }
}

async function gateFiles({ em, tables, hooks }: TableServices, arrival: IncomingRows): Promise<GateDecision> {
  const { tenantId, tableId, schema, runId } = arrival;
  const gate = await runTenantTransaction(em, tables, tenantId, ({ read }) =>
    hooks.openGate(read, { id: tableId, schema, bytes: 0 }, runId),
  );
  return gate.check(arrival);
}

export function commitFiles(
  { em, tables }: TableServices,
  lease: TableLease,
  change: Omit<Parameters<typeof commitTableFiles>[2], 'cause'>,
): Promise<void> {
  const withCause = { ...change, cause: { kind: 'push' } } as const;
  return runTenantTransaction(em, tables, lease.tenantId, (tx) => commitTableFiles(tx, lease, withCause));
}

export async function loadRows(
  services: TableServices,
  table: LoadedTable,
  ...given: DropTwo<Parameters<typeof writeFiles>>
) {
  const [, options] = given;
  const added = await withTableLease(services, table.tenantId, table.tableId, async (lease) => {
    const added = await writeFiles(services, table, ...given);
    await commitFiles(services, lease, { added, ...(options?.schema && { schema: options.schema }) });
    return added;
  });
  if (added === 'taken') throw new Error('another writer has the table');
  return added;
}

/** Checks the rows with the current contract of the table, and then adds them. */
export async function loadRun(
  services: TableServices,
  table: LoadedTable,
  runId: string,
  ...given: DropTwo<Parameters<typeof writeFiles>>
): Promise<void> {
  const { tenantId, tableId, schema } = table;
  await withTableLease(services, tenantId, tableId, async (lease) => {
    const files = await writeFiles(services, table, ...given);
    const arrival = { tenantId, tableId, runId, files, schema, attempt: 1, signal: new AbortController().signal };
    const decision = await gateFiles(services, arrival);
    await runTenantTransaction(services.em, services.tables, tenantId, (tx) => decision.save(tx));
    await commitFiles(services, lease, { added: files });
  });
}

type DropTwo<List extends unknown[]> = List extends [unknown, unknown, ...infer Rest] ? Rest : never;

export async function storedRows(
  { query, services, folder }: LoadedTables,
  { tableId }: LoadedTable,
  kind = 'data',
): Promise<Record<string, unknown>[]> {
  const files = await query(
    `select tenant_id, table_id, kind, id from table_file where table_id = $1 and kind = $2 and state = 'live'`,
    [decodeId(tableId), kind],
  );
  if (files.length === 0) return [];
  const paths = files.map((f) => join(folder, 'files', 'tables', f.tenant_id, f.table_id, f.kind, `${f.id}.parquet`));
  return services.duckdb.rows(
    `select * from read_parquet([${paths.map(sqlText).join(', ')}], union_by_name = true) order by _batch, _row`,
  );
}

export async function statesOf({ query }: LoadedTables, { tableId }: LoadedTable): Promise<Record<string, string>> {
  const files = await query('select id, state from table_file where table_id = $1', [decodeId(tableId)]);
  return Object.fromEntries(files.map(({ id, state }) => [encodeId(id), state]));
}
