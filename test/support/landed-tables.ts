import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { composeQuality } from '../../src/compose-quality.js';
import type { FileStore } from '../../src/kernel/file-store.js';
import { FolderStore } from '../../src/kernel/folder-store.js';
import { decodeId, encodeId, newId } from '../../src/kernel/ids.js';
import { Jobs } from '../../src/kernel/jobs.js';
import { Tables } from '../../src/kernel/tables.js';
import { inTenant } from '../../src/kernel/transaction.js';
import { Turns } from '../../src/kernel/turns.js';
import { createOrm } from '../../src/orm.js';
import { commitTableFiles } from '../../src/tables/commit-table-files.js';
import { DuckDb, sqlText } from '../../src/tables/duckdb.js';
import { LocalFiles } from '../../src/tables/local-files.js';
import { openTable } from '../../src/tables/open-table.js';
import { StagedRows } from '../../src/tables/staged-rows.js';
import type { TableParts } from '../../src/tables/table-context.js';
import { type TableLease, withTableLease } from '../../src/tables/table-lease.js';
import type { TableSchema } from '../../src/tables/table-schema.js';
import type { Arrival, Verdict } from '../../src/tables/table-watch.js';
import { writeTableFiles } from '../../src/tables/write-table-files.js';
import type { WrittenFile } from '../../src/tables/written-file.js';
import { StorageQuota } from '../../src/tenancy/storage-quota.js';
import { aDatabase } from './database.js';
import { rowsOf } from './rows.js';
import { runtimeUrlOf } from './runtime-role.js';

export interface LandedTable {
  readonly tenantId: string;
  readonly tableId: string;
  readonly tapId: string;
  readonly schema: TableSchema;
}

export const WORDS: TableSchema = { fields: [{ name: 'word', type: 'String' }] };

/** What tables need of a process, on a database and a folder of their own, for one test file. */
export async function landedTables() {
  const database = await aDatabase();
  const url = await runtimeUrlOf(database);
  const folder = await mkdtemp(join(tmpdir(), 'taproot-tables-'));
  const orm = createOrm(url);
  const tables = new Tables(orm.getMetadata());
  const jobs = new Jobs({ databaseUrl: url, report: () => undefined });
  await jobs.start([]);
  const landing = join(folder, 'landing');
  await mkdir(landing);
  const store = await FolderStore.open(join(folder, 'files'));
  const ground = {
    ...{ em: orm.em, tables, store, jobs, folder: landing, duckdb: new DuckDb({ folder }) },
    ...{ localFiles: new LocalFiles(store, landing), previews: new Turns(1) },
    storage: new StorageQuota(undefined),
    report: (error: unknown) => {
      throw error;
    },
  };
  const { quality, watch } = composeQuality(ground);
  const parts: TableParts = { ...ground, watch };
  const ask = (sql: string, values?: unknown[]) => rowsOf({ databaseUrl: database.url }, sql, values);
  afterAll(async () => {
    await jobs.stop();
    await parts.localFiles.close();
    await parts.duckdb.close();
    await quality.inspection.duckdb.close();
    await orm.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  return {
    ...{ parts, quality, ask, folder, databaseUrl: url },
    filesInStore: async (): Promise<string[]> => {
      const entries = await readdir(join(folder, 'files', 'tables'), { recursive: true }).catch(() => []);
      return entries.filter((name) => name.endsWith('.parquet')).sort();
    },
    /** The table of a new tap in a new workspace. */
    async aTable(schema = WORDS, { retentionDays }: { retentionDays?: number } = {}): Promise<LandedTable> {
      const [tenantId, tapId] = [newId(), newId()];
      await ask(
        `insert into tenant_connector_tap (id, created_at, created_by, updated_at, updated_by, tenant_id, tap_id, name, enabled, table_name)
         select $1, now(), $1, now(), $1, $2, $3, 'words', true, 'words'`,
        [decodeId(tapId), decodeId(tenantId), retentionDays === undefined ? null : await keptFor(retentionDays)],
      );
      const table = await inTenant(parts.em, tables, tenantId, ({ em }) => openTable(em, tenantId, tapId, schema));
      return { tenantId, tapId, tableId: table.id, schema };
    },
  };
  /** A definition of a tap that keeps rows for so many days. */
  async function keptFor(days: number): Promise<string> {
    const [row] = await ask(
      `update connector_tap set retention_policy = $1 where id = (
         select id from connector_tap where coalesce(retention_policy ->> 'retentionDays', $2) = $2 order by id limit 1
       ) returning id`,
      [JSON.stringify({ retentionDays: days }), `${days}`],
    );
    return row?.id;
  }
}

export type LandedTables = Awaited<ReturnType<typeof landedTables>>;

/** The same on a store that does some things in another way. */
export function onStore(parts: TableParts, others: Partial<FileStore>): TableParts {
  const { store } = parts;
  const own: FileStore = {
    put: (...args) => store.put(...args),
    readHead: (...args) => store.readHead(...args),
    open: (key) => store.open(key),
    copyTo: (...args) => store.copyTo(...args),
    sizeOf: (key) => store.sizeOf(key),
    delete: (key) => store.delete(key),
  };
  return { ...parts, store: { ...own, ...others } };
}

interface Landing {
  readonly receivedAt?: string;
  readonly schema?: TableSchema;
  readonly schemaVersion?: number;
}

/** Rows as files that are in the store, and no part of the table yet. Each of them is one of a batch of its own. */
export async function written(
  parts: TableParts,
  table: LandedTable,
  rows: readonly (readonly (string | null)[])[],
  { receivedAt = '2026-02-03T04:05:06.789Z', schema = table.schema, schemaVersion = 1 }: Landing = {},
): Promise<WrittenFile[]> {
  const staged = await StagedRows.open(join(parts.folder, randomUUID()), schema);
  try {
    for (const row of rows) staged.add({ batch: randomUUID(), row: 1, receivedAt }, row);
    return await writeTableFiles(parts, { ...table, schema, schemaVersion, isLimited: false }, staged);
  } finally {
    await staged.close();
  }
}

/** What is thought of an arrival by what is expected of its table now. */
export async function judged({ em, tables, watch }: TableParts, arrival: Arrival): Promise<Verdict> {
  const { tenantId, tableId, schema, runId } = arrival;
  const judge = await inTenant(em, tables, tenantId, ({ read }) => watch.judgeOf(read, { id: tableId, schema }, runId));
  return judge.judge(arrival);
}

export function commit(
  { em, tables }: TableParts,
  lease: TableLease,
  change: Parameters<typeof commitTableFiles>[2],
): Promise<void> {
  return inTenant(em, tables, lease.tenantId, (tx) => commitTableFiles(tx, lease, change));
}

/** Rows that are in the table from here on. */
export async function land(parts: TableParts, table: LandedTable, ...given: DropTwo<Parameters<typeof written>>) {
  const [, options] = given;
  const added = await withTableLease(parts, table.tenantId, table.tableId, async (lease) => {
    const added = await written(parts, table, ...given);
    await commit(parts, lease, { added, ...(options?.schema && { schema: options.schema }) });
    return added;
  });
  if (added === 'taken') throw new Error('another writer has the table');
  return added;
}

type DropTwo<List extends unknown[]> = List extends [unknown, unknown, ...infer Rest] ? Rest : never;

/** What somebody finds who reads the files of a kind that are part of the table. */
export async function rowsIn(
  { ask, parts, folder }: LandedTables,
  { tableId }: LandedTable,
  kind = 'data',
): Promise<Record<string, unknown>[]> {
  const files = await ask(
    `select tenant_id, table_id, kind, id from table_file where table_id = $1 and kind = $2 and state = 'live'`,
    [decodeId(tableId), kind],
  );
  if (files.length === 0) return [];
  const paths = files.map((f) => join(folder, 'files', 'tables', f.tenant_id, f.table_id, f.kind, `${f.id}.parquet`));
  return parts.duckdb.rows(
    `select * from read_parquet([${paths.map(sqlText).join(', ')}], union_by_name = true) order by _batch, _row`,
  );
}

export async function statesOf({ ask }: LandedTables, { tableId }: LandedTable): Promise<Record<string, string>> {
  const files = await ask('select id, state from table_file where table_id = $1', [decodeId(tableId)]);
  return Object.fromEntries(files.map(({ id, state }) => [encodeId(id), state]));
}
