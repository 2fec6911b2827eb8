import { rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DeletedRows } from '../../catalog/model/table-mode.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { discardOnFailure, discardTableFiles } from '../files/discard-table-files.js';
import { commonKeyRange, hasKeys, measureFile } from '../files/measure-file.js';
import { type TableFileTarget, uploadTableFile } from '../files/upload-table-file.js';
import type { TableServices } from '../table-context.js';
import type { TableFileKind } from '../table-file.js';
import { toStoredFile } from '../table-file-key.js';
import { withWorkingFolder } from '../working-folder.js';
import type { WrittenFile } from '../written-file.js';
import { readFilesWithKeys } from './files-with-keys.js';
import { mergeParts } from './merge-parts.js';

interface TableMerge {
  /** Files that become part of the table. */
  readonly added: readonly WrittenFile[];
  /** Ids of files to remove from the table. */
  readonly replaced: readonly string[];
  /** New files whose rows are in `added` instead. Discard them after the commit. */
  readonly unused: readonly WrittenFile[];
}

interface MergeOptions {
  readonly deletedRows: DeletedRows;
  readonly signal: AbortSignal;
}

/** Merges files as `mergeIntoTable` does. After `commit`, discards the files that did not become part of the table. */
export async function withMergedFiles(
  services: TableServices,
  target: TableFileTarget,
  files: readonly WrittenFile[],
  options: MergeOptions,
  commit: (merge: Pick<TableMerge, 'added' | 'replaced'>) => Promise<void>,
): Promise<void> {
  const { added, replaced, unused } = await mergeIntoTable(services, target, files, options);
  await discardOnFailure(services, target, added, () => commit({ added, replaced }));
  await discardTableFiles(services, target, unused).catch(() => undefined); // the cleanup job deletes the files later
}

/**
 * Merges uploaded files, which are not part of the table yet, into a table that holds each record once. Changes nothing
 * until the caller commits the result. The caller holds the lease of the table. Throws the reason of the signal,
 * `FileStoreError` and `StorageQuotaExceededError`.
 */
async function mergeIntoTable(
  services: TableServices,
  target: TableFileTarget,
  files: readonly WrittenFile[],
  { deletedRows, signal }: MergeOptions,
): Promise<TableMerge> {
  const parts = files.filter(({ kind }) => kind === 'data');
  const range = commonKeyRange(parts.map(({ keys }) => keys));
  if (!range || !hasKeys(range)) return { added: files, replaced: [], unused: [] };
  const known = await runTenantTransaction(services.em, services.tables, target.tenantId, ({ read }) =>
    readFilesWithKeys(read, target, range),
  );
  const written: WrittenFile[] = [];
  const merge = async (connection: DuckDBConnection, paths: readonly string[], folder: string): Promise<TableMerge> => {
    const pathsOf = (wanted: TableFileKind) => paths.filter((_, at) => known[at - parts.length]?.kind === wanted);
    const input = { parts: paths.slice(0, parts.length), data: pathsOf('data'), deletes: pathsOf('deletes') };
    const merged = await mergeParts(connection, { ...input, deletedRows, folder });
    for (const { kind, path, rows } of merged.added) {
      signal.throwIfAborted();
      if (rows === 0) continue;
      const measures = await measureFile(connection, path, true);
      written.push(await uploadTableFile(services, target, path, { kind, rows, ...measures }));
      await rm(path);
    }
    const replaced = merged.replaced.map((path) => known[paths.indexOf(path) - parts.length]?.id as string);
    if (merged.keepsParts) return { added: [...files, ...written], replaced, unused: [] };
    return { added: [...files.filter(({ kind }) => kind !== 'data'), ...written], replaced, unused: parts };
  };
  const stored = [...parts, ...known].map((file) => toStoredFile(target, file));
  return withWorkingFolder(services.folder, (folder) =>
    discardOnFailure(services, target, written, () =>
      services.localFiles.use(stored, (paths) =>
        services.duckdb.connect((connection) => merge(connection, paths, folder), signal),
      ),
    ),
  );
}
