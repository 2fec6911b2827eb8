import { join } from 'node:path';
import { describeColumns } from '../describe-columns.js';
import { sqlText } from '../duckdb.js';
import { measureFile } from '../files/measure-file.js';
import { type TableFileTarget, uploadTableFile } from '../files/upload-table-file.js';
import { writeParquet } from '../staging/write-parquet.js';
import type { TableServices } from '../table-context.js';
import { toStoredFile } from '../table-file-key.js';
import { CHANGE_COLUMNS, HISTORY_COLUMNS, type TableSchema } from '../table-schema.js';
import { withWorkingFolder } from '../working-folder.js';
import type { WrittenFile } from '../written-file.js';
import { rowsOf } from './merge-statements.js';

/** Columns that the service adds to the rows. The copy omits them, unless the records have columns with these names. */
const DERIVED_COLUMNS: readonly string[] = [...HISTORY_COLUMNS, ...CHANGE_COLUMNS];

interface PushedRows {
  readonly files: readonly WrittenFile[];
  readonly since: Date;
  /** Whether the copy includes the columns `RECORD_COLUMNS` and the deletions. */
  readonly isKeyed: boolean;
  readonly schema: TableSchema;
  readonly signal: AbortSignal;
}

/**
 * Copies rows from the files of a table to a new file, which is not part of the table yet. Copies only the rows that
 * the service received at `since` or later. The copy is necessary because senders push records while a sync reads a
 * replacement for all rows. Returns undefined if the table has no such rows. Throws `FileStoreError` and
 * `StorageQuotaExceededError`.
 */
export async function copyPushedRows(
  services: TableServices,
  target: TableFileTarget,
  { files, since, isKeyed, schema, signal }: PushedRows,
): Promise<WrittenFile | undefined> {
  const kinds = isKeyed ? ['data', 'deletes'] : ['data'];
  const recent = files.filter(({ kind, lastReceivedAt }) => kinds.includes(kind) && lastReceivedAt >= since);
  if (recent.length === 0) return undefined;
  const stored = recent.map((file) => toStoredFile(target, file));
  return withWorkingFolder(services.folder, (folder) =>
    services.localFiles.use(stored, (paths) =>
      services.duckdb.connect(async (connection) => {
        const path = join(folder, 'pushed.parquet');
        const all = `read_parquet([${paths.map(sqlText).join(', ')}], union_by_name = true)`;
        const names = (await describeColumns(connection, `from ${all}`)).map(({ name }) => name);
        const rows = isKeyed ? rowsOf(paths, new Set(names)) : all;
        const own = new Set(schema.fields.map(({ name }) => name));
        const derived = DERIVED_COLUMNS.filter((name) => names.includes(name) && !own.has(name));
        const others = [...(isKeyed ? ['file_path'] : []), ...derived];
        const source = others.length > 0 ? `(select * exclude (${others.join(', ')}) from ${rows})` : rows;
        const query = `from ${source} where _received_at >= ${sqlText(since.toISOString())}::timestamptz`;
        const { length: columns } = await describeColumns(connection, query);
        const count = await writeParquet(connection, query, columns, path);
        if (count === 0) return undefined;
        const measures = await measureFile(connection, path, isKeyed);
        return uploadTableFile(services, target, path, { kind: 'data', rows: count, ...measures });
      }, signal),
    ),
  );
}
