import { TapOpener, type TapOpenerServices } from './syncs/reading/tap-opener.js';
import { openSourceTap } from './syncs/runs/open-source-tap.js';
import type { SyncServices } from './syncs/runs/sync-services.js';
import { DuckDb } from './tables/duckdb.js';
import type { TableServices } from './tables/table-context.js';

interface SyncDependencies extends Omit<TapOpenerServices, 'workFolder' | 'definitions'> {
  readonly startsInitialSync: boolean;
}

/**
 * Threads of the DuckDB that writes the files of syncs. With a second thread, DuckDB keeps the rows of both threads in
 * memory to write them in order. This takes three times as much memory and saves no CPU time.
 */
const DUCKDB_THREADS = 1;

/** Creates the process-wide services of syncs. The caller closes the DuckDB instance. */
export function composeSyncs(
  tableServices: TableServices,
  { startsInitialSync, ...connections }: SyncDependencies,
): { syncs: SyncServices; taps: TapOpener } {
  const taps = new TapOpener({
    ...connections,
    workFolder: tableServices.folder,
    definitions: tableServices.definitions,
  });
  const openTap: SyncServices['openTap'] = (tap, signal) => openSourceTap(taps, tap, signal);
  const duckdb = new DuckDb({ folder: tableServices.folder, threads: DUCKDB_THREADS, releasesMemory: true });
  return { taps, syncs: { tableServices: { ...tableServices, duckdb }, startsInitialSync, openTap } };
}
