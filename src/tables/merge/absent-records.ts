import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Lean } from '../../kernel/reading/reader.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { CatalogTable } from '../catalog-table.js';
import { describeColumns } from '../describe-columns.js';
import { sqlText } from '../duckdb.js';
import { readSwapFiles } from '../files/generation-files.js';
import { hasKeys, measureFile } from '../files/measure-file.js';
import { type TableFileTarget, uploadTableFile } from '../files/upload-table-file.js';
import { writeParquet } from '../staging/write-parquet.js';
import type { TableServices } from '../table-context.js';
import { toStoredFile } from '../table-file-key.js';
import type { MissingRecords } from '../table-hooks.js';
import { HISTORY_COLUMNS, RECORD_COLUMNS, SYSTEM_COLUMNS } from '../table-schema.js';
import { withWorkingFolder } from '../working-folder.js';
import type { WrittenFile } from '../written-file.js';
import { withTimes } from './history-statements.js';
import { rowsOf } from './merge-statements.js';

export interface AbsentRecords {
  /** A file with a deletion for each absent record. The file is not part of the table yet. */
  readonly deletions: readonly WrittenFile[];
  /**
   * Number of missing records, and number of all records in the table. Undefined if the records were not compared
   * (`NONE_ABSENT`).
   */
  readonly missing: MissingRecords | undefined;
}

export const NONE_ABSENT: AbsentRecords = { deletions: [], missing: undefined };

interface CompleteRead {
  readonly generation: string;
  /** Files of the kind `keys` that the last step of the run wrote. */
  readonly keys: readonly WrittenFile[];
  /** Start of the run. Records that the service received later are not absent. */
  readonly startedAt: Date;
  /** Whether the table contains each version of a record. */
  readonly isHistory: boolean;
  readonly signal: AbortSignal;
}

/**
 * Finds the records of a table that a complete read of its source did not return, and writes their deletions to a file.
 * The caller must hold the lease of the table. Returns `NONE_ABSENT` if the table is too large for a merge, or if
 * readers already merge its rows. Throws the abort reason of the signal, `FileStoreError` and
 * `StorageQuotaExceededError`.
 */
export async function findAbsentRecords(
  services: TableServices,
  target: TableFileTarget,
  { generation, keys, startedAt, isHistory, signal }: CompleteRead,
): Promise<AbsentRecords> {
  const { tenantId, tableId } = target;
  const { em, tables, maxMergedTableBytes } = services;
  const { known, seen } = await runTenantTransaction(em, tables, tenantId, async ({ em, read }) => {
    const { mergedBy, bytes } = (await read.byId(CatalogTable, tableId)) as Lean<CatalogTable>;
    const isMerged = mergedBy === 'service' && (isHistory || bytes <= maxMergedTableBytes);
    const { earlier, live } = await readSwapFiles(em, { tenantId, tableId, generation });
    const files = isMerged ? live : [];
    return {
      known: files.filter(({ kind, keys: range }) => kind === 'data' && range && hasKeys(range)),
      seen: [...earlier, ...keys],
    };
  });
  if (known.length === 0) return NONE_ABSENT;
  const files = [...known, ...seen.filter(({ kind }) => kind === 'keys')];
  return withWorkingFolder(services.folder, (folder) =>
    services.localFiles.use(
      files.map((file) => toStoredFile(target, file)),
      (paths) =>
        services.duckdb.connect(async (connection) => {
          const path = join(folder, 'deletions.parquet');
          const [data, returned] = [paths.slice(0, known.length), paths.slice(known.length)];
          const current = await currentRecords(connection, data);
          const [[of] = []] = (await connection.runAndReadAll(`select count(*) from (${current})`)).getRows();
          const query = deletionsOf(current, returned, { startedAt, isHistory });
          const rows = await writeParquet(connection, query, SYSTEM_COLUMNS.length + RECORD_COLUMNS.length, path);
          const missing = { missing: rows, of: Number(of) };
          if (rows === 0) return { deletions: [], missing };
          const measures = await measureFile(connection, path, true);
          const deletions = await uploadTableFile(services, target, path, { kind: 'data', rows, ...measures });
          return { deletions: [deletions], missing };
        }, signal),
    ),
  );
}

/** Returns SQL that selects the key, the newest version and the latest time of receipt of each existing record. */
async function currentRecords(connection: DuckDBConnection, paths: readonly string[]): Promise<string> {
  const all = `read_parquet([${paths.map(sqlText).join(', ')}], union_by_name = true)`;
  const names = new Set((await describeColumns(connection, `from ${all}`)).map(({ name }) => name));
  const [, until] = HISTORY_COLUMNS;
  const [key, version, deleted] = RECORD_COLUMNS;
  const time = `coalesce(${version}, '-infinity')`;
  return `
select ${key} as key, max(${version}) as version, max(_received_at) as received
from ${withTimes(rowsOf(paths, names), names)} where ${key} is not null and ${until} is null
group by ${key} having not arg_max(coalesce(${deleted}, false), ${time})`;
}

/**
 * The deletions have negative numbers in `_row`, in contrast to deletions that the source reports. In a table with a
 * history, the version of a deletion is the start of the read. In other tables, a deletion has the version of the
 * deleted row, and therefore deletes no newer row.
 */
function deletionsOf(
  current: string,
  returned: readonly string[],
  { startedAt, isHistory }: Pick<CompleteRead, 'startedAt' | 'isHistory'>,
): string {
  const [key, version, deleted] = RECORD_COLUMNS;
  const start = `${sqlText(startedAt.toISOString())}::timestamptz`;
  const seen = `read_parquet([${returned.map(sqlText).join(', ')}])`;
  const isReturned = returned.length > 0 ? `and key not in (select ${key} from ${seen})` : '';
  return `
select key as ${key}, ${isHistory ? start : 'version'} as ${version}, true as ${deleted}, ${sqlText(randomUUID())} as _batch,
  -row_number() over () as _row, now() as _received_at
from (${current}) where received < ${start} ${isReturned}`;
}
