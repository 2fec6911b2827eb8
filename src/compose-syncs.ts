import { TapOpener, type TapOpenerServices } from './syncs/reading/tap-opener.js';
import { openSourceTap } from './syncs/runs/open-source-tap.js';
import type { SyncServices } from './syncs/runs/sync-services.js';
import type { TableServices } from './tables/table-context.js';

interface SyncDependencies extends Omit<TapOpenerServices, 'workFolder'> {
  readonly startsInitialSync: boolean;
}

/** Creates the process-wide services of syncs. */
export function composeSyncs(
  tableServices: TableServices,
  { startsInitialSync, ...connections }: SyncDependencies,
): { syncs: SyncServices; taps: TapOpener } {
  const taps = new TapOpener({ ...connections, workFolder: tableServices.folder });
  const openTap: SyncServices['openTap'] = (tap, signal) => openSourceTap(taps, tap, signal);
  return { taps, syncs: { tableServices, startsInitialSync, openTap } };
}
