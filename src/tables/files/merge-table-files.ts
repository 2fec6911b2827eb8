import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../duckdb.js';
import { writeParquet } from '../staging/write-parquet.js';
import type { TableServices } from '../table-context.js';
import type { TableFileKind } from '../table-file.js';
import { tableFileKey } from '../table-file-key.js';
import { type ProposedColumn, SYSTEM_COLUMNS } from '../table-schema.js';
import { withWorkingFolder } from '../working-folder.js';
import type { WrittenFile } from '../written-file.js';
import { commonKeyRange } from './measure-file.js';
import { type TableFileTarget, uploadTableFile } from './upload-table-file.js';

/**
 * Maximum average size of an uncompressed row. The service does not merge files with larger rows, because DuckDB keeps
 * 2,048 rows in memory.
 */
const MAX_MERGED_ROW_BYTES = 64 * 1024;

export type MergeSource = Pick<
  WrittenFile,
  'id' | 'rows' | 'firstReceivedAt' | 'lastReceivedAt' | 'keys' | 'proposedColumns'
>;

/**
 * Merges files of one kind, in the given order, into one file in the store. A column that a file lacks is null in the
 * rows of that file. Returns undefined if the rows are too long to merge. Throws the abort reason of the signal,
 * `FileStoreError` and `StorageQuotaExceededError`.
 */
export async function mergeTableFiles(
  services: TableServices,
  target: TableFileTarget,
  kind: TableFileKind,
  files: readonly MergeSource[],
  signal: AbortSignal,
): Promise<WrittenFile | undefined> {
  return withWorkingFolder(services.folder, async (folder) => {
    const path = join(folder, 'merged.parquet');
    const copies: string[] = [];
    for (const { id } of files) {
      signal.throwIfAborted();
      const copy = join(folder, `${copies.length}.parquet`);
      await services.store.copyTo(tableFileKey({ ...target, kind, id }), copy);
      copies.push(copy);
    }
    signal.throwIfAborted();
    const rows = await services.duckdb.connect((connection) => mergeCopies(connection, copies, path));
    if (rows === undefined) return undefined;
    if (rows !== files.reduce((sum, file) => sum + file.rows, 0))
      throw new Error('the merged file does not have all rows');
    signal.throwIfAborted();
    const times = files.flatMap(({ firstReceivedAt, lastReceivedAt }) => [firstReceivedAt, lastReceivedAt]).map(Number);
    const span = { firstReceivedAt: new Date(Math.min(...times)), lastReceivedAt: new Date(Math.max(...times)) };
    const keys = commonKeyRange(files.map((file) => file.keys));
    const proposal = kind === 'held' && { proposedColumns: sumProposals(files) };
    const measures = { kind, rows, bytes: (await stat(path)).size, ...span, keys, ...proposal };
    return uploadTableFile(services, target, path, measures);
  });
}

function sumProposals(files: readonly MergeSource[]): ProposedColumn[] {
  const all = files.flatMap(({ proposedColumns = [] }) => proposedColumns);
  const groups = Map.groupBy(all, ({ name, type }) => JSON.stringify([name, type]));
  return [...groups.values()].map((list) => {
    const records = list.reduce((sum, column) => sum + column.records, 0);
    return { ...(list[0] as ProposedColumn), records };
  });
}

const MEASURE_FILES = `
select count(distinct path_in_schema)::int as columns, sum(total_uncompressed_size)::double as bytes,
  (select sum(num_rows)::double from parquet_file_metadata(PATHS)) as rows
from parquet_metadata(PATHS)`;

async function mergeCopies(
  connection: DuckDBConnection,
  copies: readonly string[],
  path: string,
): Promise<number | undefined> {
  const paths = `[${copies.map(sqlText).join(', ')}]`;
  const [measure] = (await connection.runAndReadAll(MEASURE_FILES.replaceAll('PATHS', paths))).getRowObjectsJS();
  const { columns, bytes, rows } = measure as { columns: number; bytes: number; rows: number };
  if (bytes / rows > MAX_MERGED_ROW_BYTES) return undefined;
  const system = SYSTEM_COLUMNS.join(', ');
  const query = `select * exclude (${system}), ${system} from read_parquet(${paths}, union_by_name = true)`;
  return writeParquet(connection, query, columns, path);
}
