import { unlink } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DeletedRows } from '../../catalog/model/table-mode.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { CatalogTable } from '../catalog-table.js';
import type { TableChange } from '../files/commit-table-files.js';
import { discardOnFailure, discardTableFiles } from '../files/discard-table-files.js';
import { readLiveFiles } from '../files/generation-files.js';
import { commonKeyRange, hasKeys, measureFile } from '../files/measure-file.js';
import { type TableFileTarget, uploadTableFile } from '../files/upload-table-file.js';
import type { TableServices } from '../table-context.js';
import type { TableFileKind } from '../table-file.js';
import { toStoredFile } from '../table-file-key.js';
import { withWorkingFolder } from '../working-folder.js';
import type { WrittenFile } from '../written-file.js';
import { readFilesWithKeys } from './files-with-keys.js';
import { isMergeDue } from './is-merge-due.js';
import { mergeHistory } from './merge-history.js';
import { type MergedFile, mergeParts } from './merge-parts.js';
import { readUnmergedFiles, type UnmergedFile } from './unmerged-files.js';
import { writeChanges } from './write-changes.js';

type KnownFile = Pick<WrittenFile, 'id' | 'kind' | 'bytes'>;

interface MergeOptions {
  /** Defaults to the mode of the existing rows of the table. */
  readonly mode?: 'upsert' | 'history' | undefined;
  readonly deletedRows: DeletedRows;
  readonly signal: AbortSignal;
  /** Whether readers must be able to read the rows after this commit. Otherwise, a large merge waits for more rows. */
  readonly isDue?: boolean;
  /** Whether the files replace all rows of the table. If so, the merge includes only these files. */
  readonly isReplacement?: boolean;
}

export type MergeChange = Required<Pick<TableChange, 'added' | 'replaced' | 'unmerged'>> &
  Pick<TableChange, 'hasHistory' | 'mergedBy'>;

interface PlannedMerge {
  /** New rows: unmerged files of the table, then the files of the caller. */
  readonly parts: readonly WrittenFile[];
  /** Ids of the unmerged files. */
  readonly waiting: ReadonlySet<string>;
  /** Files of the table that may contain rows with the keys of the new rows. */
  readonly known: readonly KnownFile[];
  readonly isDue: boolean;
  readonly isHistory: boolean;
  /** Whether readers merge the rows, because the table has become too large for the service. */
  readonly isLeftToReaders: boolean;
  /**
   * Files with the deletions of earlier merges, if readers merge the table from now on. Otherwise empty.
   */
  readonly deletions: readonly WrittenFile[];
}

/**
 * Merges new table files, and the unmerged files of a table, into the table. The table then contains each record once,
 * or the history of each record. A table with a history retains it in any mode, unless the files replace all rows.
 * Exceptions:
 * - If the merge is not due, the new files become unmerged: they are committed, but readers cannot read them.
 * - If the merge fails and `isDue` is not true, the new files also become unmerged.
 * - Rows without keys become part of the table immediately.
 * - In a table that is too large, the rows become changes, which readers merge.
 *
 * The merge takes effect with `commit`. Afterwards, this function discards the files that did not become part of the
 * table. The caller must hold the lease of the table. Throws the abort reason of the signal, `FileStoreError` and
 * `StorageQuotaExceededError`.
 */
export async function withMergedFiles(
  services: TableServices,
  target: TableFileTarget,
  files: readonly WrittenFile[],
  options: MergeOptions,
  commit: (change: MergeChange) => Promise<void>,
): Promise<void> {
  const plan = await planMerge(services, target, files, options);
  const own = plan.parts.filter(({ id }) => !plan.waiting.has(id));
  const others = files.filter((file) => !own.includes(file));
  if (plan.parts.length === 0) return commit({ added: files, replaced: [], unmerged: [] });
  const postpone = (): Promise<void> => commit({ added: others, replaced: [], unmerged: own });
  if (!plan.isDue && !plan.isLeftToReaders) return postpone();
  const run = plan.isLeftToReaders ? runChanges : runMerge;
  const merged = await run(services, target, plan, options).catch((error: unknown) => {
    if (options.isDue || options.signal.aborted) throw error;
  });
  if (!merged) return postpone();
  const { written, replaced, keepsParts, ...facts } = merged;
  const change = {
    ...facts,
    added: keepsParts ? [...others, ...plan.parts, ...written] : [...others, ...written],
    replaced: keepsParts ? replaced : [...replaced, ...plan.waiting],
    unmerged: [],
  };
  await discardOnFailure(services, target, written, () => commit(change));
  // The cleanup job discards the files if this call fails.
  if (!keepsParts) await discardTableFiles(services, target, own).catch(() => undefined);
}

async function planMerge(
  { em, tables, maxMergedTableBytes }: TableServices,
  target: TableFileTarget,
  files: readonly WrittenFile[],
  { mode, isDue = false, isReplacement = false }: MergeOptions,
): Promise<PlannedMerge> {
  return runTenantTransaction(em, tables, target.tenantId, async ({ em, read }) => {
    const unmerged = isReplacement ? [] : await readUnmergedFiles(read, target);
    const own = files.filter(({ kind, keys }) => kind === 'data' && keys && hasKeys(keys));
    const parts = [...unmerged, ...own];
    const waiting = new Set(unmerged.map(({ id }) => id));
    const range = commonKeyRange(parts.map(({ keys }) => keys));
    const isMerged = !isReplacement && range && hasKeys(range);
    const known = isMerged ? await readFilesWithKeys(read, target, range) : [];
    const table = (await read.byId(CatalogTable, target.tableId)) as Lean<CatalogTable>;
    const isTooLarge = table.mergedBy === 'reader' || table.bytes > maxMergedTableBytes;
    const isHistory = mode === 'history' || (!isReplacement && table.hasHistory && table.rows > 0);
    const isLeftToReaders = isTooLarge && !isHistory && !isReplacement;
    const live = isLeftToReaders && table.mergedBy === 'service' ? await readLiveFiles(em, target) : [];
    return {
      ...{ parts, waiting, known, isDue: isDue || isMergeDue(costOf(parts, unmerged, known)) },
      ...{ isHistory, isLeftToReaders, deletions: live.filter(({ kind }) => kind === 'deletes') },
    };
  });
}

function costOf(parts: readonly KnownFile[], unmerged: readonly UnmergedFile[], known: readonly KnownFile[]) {
  const bytesOf = (list: readonly KnownFile[]): number => list.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    ...{ touchedBytes: bytesOf(known), newBytes: bytesOf(parts) },
    waitingSince: unmerged[0]?.createdAt ?? new Date(),
  };
}

interface RunMerge {
  /** Files that the merge has written to the file store. They are not part of the table yet. */
  readonly written: readonly WrittenFile[];
  readonly replaced: readonly string[];
  /**
   * Whether the new files become part of the table unchanged. If false, files in `written` replace the new files.
   */
  readonly keepsParts: boolean;
  readonly hasHistory?: boolean;
  readonly mergedBy?: 'reader';
}

async function runMerge(
  services: TableServices,
  target: TableFileTarget,
  { parts, known, isHistory }: PlannedMerge,
  { deletedRows, signal }: MergeOptions,
): Promise<RunMerge> {
  const written: WrittenFile[] = [];
  const merge = async (connection: DuckDBConnection, paths: readonly string[], folder: string): Promise<RunMerge> => {
    const pathsOf = (wanted: TableFileKind) => paths.filter((_, at) => known[at - parts.length]?.kind === wanted);
    const input = { parts: paths.slice(0, parts.length), data: pathsOf('data'), deletes: pathsOf('deletes') };
    const merged = isHistory
      ? await mergeHistory(connection, { ...input, unchanged: pathsOf('unchanged'), folder })
      : await mergeParts(connection, { ...input, deletedRows, folder });
    await uploadAll(services, target, merged.added, { connection, signal, written });
    const replaced = merged.replaced.map((path) => known[paths.indexOf(path) - parts.length]?.id as string);
    return { written, replaced, keepsParts: merged.keepsParts, hasHistory: isHistory };
  };
  return discardOnFailure(services, target, written, () =>
    withLocalFiles(services, target, [...parts, ...known], signal, merge),
  );
}

/** For tables that readers merge. Writes new rows as changes, and also the deletions that earlier merges stored. */
async function runChanges(
  services: TableServices,
  target: TableFileTarget,
  { parts, deletions }: PlannedMerge,
  { signal }: MergeOptions,
): Promise<RunMerge> {
  const written: WrittenFile[] = [];
  const sources = [...deletions, ...parts];
  await discardOnFailure(services, target, written, () =>
    withLocalFiles(services, target, sources, signal, async (connection, paths, folder) => {
      const sized = sources.map(({ bytes }, at) => ({ bytes, path: paths[at] as string }));
      await uploadAll(services, target, await writeChanges(connection, sized, folder), { connection, signal, written });
    }),
  );
  return { written, replaced: deletions.map(({ id }) => id), keepsParts: false, mergedBy: 'reader' };
}

function withLocalFiles<Result>(
  { folder, localFiles, duckdb }: TableServices,
  target: TableFileTarget,
  files: readonly KnownFile[],
  signal: AbortSignal,
  work: (connection: DuckDBConnection, paths: readonly string[], folder: string) => Promise<Result>,
): Promise<Result> {
  const stored = files.map((file) => toStoredFile(target, file));
  return withWorkingFolder(folder, (own) =>
    localFiles.use(stored, (paths) => duckdb.connect((connection) => work(connection, paths, own), signal)),
  );
}

interface Upload {
  readonly connection: DuckDBConnection;
  readonly signal: AbortSignal;
  /** List to which the function appends the files that it has stored. */
  readonly written: WrittenFile[];
}

/** Skips files without rows. Removes each local file after its upload. */
async function uploadAll(
  services: TableServices,
  target: TableFileTarget,
  files: readonly MergedFile[],
  { connection, signal, written }: Upload,
): Promise<void> {
  for (const { kind, path, rows } of files) {
    signal.throwIfAborted();
    if (rows === 0) continue;
    const measures = await measureFile(connection, path, true);
    written.push(await uploadTableFile(services, target, path, { kind, rows, ...measures }));
    await unlink(path);
  }
}
