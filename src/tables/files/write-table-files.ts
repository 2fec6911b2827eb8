import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type StagedFiles, StagingArea } from '../staging/staging-area.js';
import { writeStagingFile } from '../staging/write-parquet.js';
import type { TableServices } from '../table-context.js';
import type { TableFileKind } from '../table-file.js';
import { HELD_FIELDS, RECORD_COLUMNS, REJECT_FIELDS, type TableSchema } from '../table-schema.js';
import type { WrittenFile } from '../written-file.js';
import { discardOnFailure } from './discard-table-files.js';
import { measureFile } from './measure-file.js';
import { type TableFileTarget, uploadTableFile } from './upload-table-file.js';

export interface WriteTarget extends TableFileTarget {
  /** Schema of the staged rows. */
  readonly schema: TableSchema;
  /** Kind of the files with accepted rows. Defaults to `data`. */
  readonly kind?: 'data' | 'keys';
}

/**
 * Writes staged rows to Parquet files and uploads them; `commitTableFiles` makes them part of the table. Discards the
 * files if a step fails. Throws `FileStoreError`, `StorageQuotaExceededError` and errors of DuckDB.
 */
export async function writeTableFiles(
  services: TableServices,
  target: WriteTarget,
  source: StagingArea | StagedFiles,
): Promise<WrittenFile[]> {
  const written: WrittenFile[] = [];
  const staged = source instanceof StagingArea ? await source.end() : source;
  const { data, rejects, held, proposedColumns } = staged;
  const path = join(staged.folder, 'file.parquet');
  const dataKind = target.kind ?? 'data';
  const hasKeys = target.schema.fields.some(({ name }) => name === RECORD_COLUMNS[0]);
  const upload = async (connection: DuckDBConnection, kind: TableFileKind, rows: number): Promise<void> => {
    if (rows > 0) {
      const measures = await measureFile(connection, path, kind === dataKind && hasKeys);
      // The first file has the proposed columns of all.
      const isFirstHeld = kind === 'held' && !written.some((file) => file.kind === 'held');
      const proposal = isFirstHeld && { proposedColumns };
      written.push(await uploadTableFile(services, target, path, { kind, rows, ...measures, ...proposal }));
    }
    await rm(path);
  };
  const write = async (connection: DuckDBConnection): Promise<void> => {
    for (const { kind, fields, staged } of [
      { kind: dataKind, fields: target.schema.fields, staged: data },
      { kind: 'rejects', fields: REJECT_FIELDS, staged: rejects },
      { kind: 'held', fields: HELD_FIELDS, staged: held },
    ] as const)
      for (const part of staged) {
        await upload(connection, kind, await writeStagingFile(connection, part, fields, path));
        await rm(part.path);
      }
  };
  return discardOnFailure(services, target, written, async () => {
    await services.writer.connect(write);
    requireAllRows(staged, written);
    return written;
  });
}

/** Guards against silent loss of rows. */
function requireAllRows(staged: StagedFiles, written: readonly WrittenFile[]): void {
  const rows = written.reduce((sum, file) => sum + file.rows, 0);
  if (rows !== staged.rows + staged.rejected + staged.heldRecords)
    throw new Error('the written files do not have all staged rows');
}
