import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../duckdb.js';
import { type StagedFiles, StagingArea } from '../staging/staging-area.js';
import { writeStagingFile } from '../staging/write-parquet.js';
import type { TableServices } from '../table-context.js';
import type { TableFileKind } from '../table-file.js';
import type { TableField, TableSchema } from '../table-schema.js';
import type { WrittenFile } from '../written-file.js';
import { discardOnFailure } from './discard-table-files.js';
import { type TableFileTarget, uploadTableFile } from './upload-table-file.js';

export interface WriteTarget extends TableFileTarget {
  /** That of the staged rows. */
  readonly schema: TableSchema;
}

/** What a row that does not fit is made of. */
const REJECT_FIELDS: readonly TableField[] = [
  { name: 'reason', type: 'String' },
  { name: 'record', type: 'String' },
];

const SELECT_TIME_SPAN = 'select min(_received_at) as first, max(_received_at) as last from read_parquet';

/**
 * Turns staged rows into Parquet files in the store, which become part of the table by `commitTableFiles`; those of a failed call are given up. A row with a value that does not fit its column
 * to the last digit goes to the rejects with the reason. Throws `FileStoreError`, `StorageQuotaExceededError`, and what DuckDB throws.
 */
export async function writeTableFiles(
  parts: TableServices,
  target: WriteTarget,
  source: StagingArea | StagedFiles,
): Promise<WrittenFile[]> {
  const written: WrittenFile[] = [];
  const staged = source instanceof StagingArea ? await source.end() : source;
  const { data, rejects } = staged;
  const path = join(staged.folder, 'file.parquet');
  const keep = async (connection: DuckDBConnection, kind: TableFileKind, rows: number): Promise<void> => {
    if (rows > 0)
      written.push(await uploadTableFile(parts, target, path, { kind, rows, ...(await measure(connection, path)) }));
    await rm(path);
  };
  const write = async (connection: DuckDBConnection): Promise<void> => {
    for (const { kind, fields, staged } of [
      { kind: 'data', fields: target.schema.fields, staged: data },
      { kind: 'rejects', fields: REJECT_FIELDS, staged: rejects },
    ] as const)
      for (const part of staged) {
        await keep(connection, kind, await writeStagingFile(connection, part, fields, path));
        await rm(part.path);
      }
  };
  return discardOnFailure(parts, target, written, async () => {
    await parts.duckdb.connect(write);
    requireAllRows(staged, written);
    return written;
  });
}

async function measure(
  connection: DuckDBConnection,
  path: string,
): Promise<Pick<WrittenFile, 'bytes' | 'firstReceivedAt' | 'lastReceivedAt'>> {
  const [span] = (await connection.runAndReadAll(`${SELECT_TIME_SPAN}(${sqlText(path)})`)).getRowObjectsJS();
  const { size } = await stat(path);
  return { bytes: size, firstReceivedAt: span?.first as Date, lastReceivedAt: span?.last as Date };
}

/** A row that is neither in a file nor among the rejects would be lost without a word. */
function requireAllRows(staged: StagedFiles, written: readonly WrittenFile[]): void {
  const rows = written.reduce((sum, file) => sum + file.rows, 0);
  if (rows !== staged.rows + staged.rejected) throw new Error('the files of a table do not have all of its rows');
}
