import { stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type StagedFiles, StagingArea } from '../staging/staging-area.js';
import type { StagingFile } from '../staging/staging-file.js';
import { writeStagingFile } from '../staging/write-parquet.js';
import type { TableServices } from '../table-context.js';
import type { TableFileKind } from '../table-file.js';
import { HELD_FIELDS, RECORD_COLUMNS, REJECT_FIELDS, type TableSchema } from '../table-schema.js';
import type { WrittenFile } from '../written-file.js';
import { discardOnFailure } from './discard-table-files.js';
import { measureFile } from './measure-file.js';
import { type TableFileTarget, uploadTableFile } from './upload-table-file.js';

/** Maximum total size of the staging files whose rows `smallWriter` writes. */
const MAX_SMALL_BYTES = 2 ** 20;

export interface WriteTarget extends TableFileTarget {
  readonly schema: TableSchema;
  /** Kind of the files with accepted rows. Defaults to `data`. */
  readonly kind?: 'data' | 'keys';
}

/**
 * Writes staged rows to Parquet files and uploads the files. Discards the files if an error occurs. Afterwards,
 * `commitTableFiles` makes the files part of the table. Throws `FileStoreError`, `StorageQuotaExceededError` and errors
 * of DuckDB.
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
  const upload = async (
    connection: DuckDBConnection,
    kind: TableFileKind,
    part: StagingFile,
    rows: number,
  ): Promise<void> => {
    if (rows > 0) {
      const measures =
        kind === dataKind && hasKeys ? await measureFile(connection, path, true) : await measuresOf(part, path);
      // The first file stores the proposed columns of all files.
      const isFirstHeld = kind === 'held' && !written.some((file) => file.kind === 'held');
      const proposal = isFirstHeld && { proposedColumns };
      written.push(await uploadTableFile(services, target, path, { kind, rows, ...measures, ...proposal }));
    }
    await unlink(path);
  };
  const write = async (connection: DuckDBConnection): Promise<void> => {
    for (const { kind, fields, staged } of [
      { kind: dataKind, fields: target.schema.fields, staged: data },
      { kind: 'rejects', fields: REJECT_FIELDS, staged: rejects },
      { kind: 'held', fields: HELD_FIELDS, staged: held },
    ] as const)
      for (const part of staged) {
        await upload(connection, kind, part, await writeStagingFile(connection, part, fields, path));
        await unlink(part.path);
      }
  };
  return discardOnFailure(services, target, written, async () => {
    await writerFor(services, staged).connect(write);
    requireAllRows(staged, written);
    return written;
  });
}

/**
 * The writer for few rows does not return memory to the operating system. Few rows need little memory, and returning
 * this memory would take several times the CPU time of the write.
 */
function writerFor(
  { writer, smallWriter }: TableServices,
  { data, rejects, held }: StagedFiles,
): TableServices['writer'] {
  const bytes = [...data, ...rejects, ...held].reduce((sum, part) => sum + part.bytes, 0);
  return bytes <= MAX_SMALL_BYTES ? smallWriter : writer;
}

/** Uses the times of the rows from staging, so that DuckDB need not query them. */
async function measuresOf(
  { firstReceivedAt, lastReceivedAt }: StagingFile,
  path: string,
): Promise<Pick<WrittenFile, 'bytes' | 'firstReceivedAt' | 'lastReceivedAt'>> {
  const { size } = await stat(path);
  return { bytes: size, firstReceivedAt: new Date(firstReceivedAt), lastReceivedAt: new Date(lastReceivedAt) };
}

/** Throws if rows are missing, so that the service never loses rows silently. */
function requireAllRows(staged: StagedFiles, written: readonly WrittenFile[]): void {
  const rows = written.reduce((sum, file) => sum + file.rows, 0);
  if (rows !== staged.rows + staged.rejected + staged.heldRecords)
    throw new Error('the written files do not contain all staged rows');
}
