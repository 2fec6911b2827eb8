import { TapOpener, type TapOpenerServices } from './syncs/reading/tap-opener.js';
import { openSourceTap } from './syncs/runs/open-source-tap.js';
import type { SyncServices } from './syncs/runs/sync-services.js';
import type { TableServices } from './tables/table-context.js';

interface SyncDependencies extends Omit<TapOpenerServices, 'workFolder' | 'definitions'> {
  readonly startsInitialSync: boolean;
}

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
  const withWriter = { ...tableServices, duckdb: tableServices.writer };
  return { taps, syncs: { tableServices: withWriter, startsInitialSync, openTap } };
}
