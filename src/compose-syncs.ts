import type { SyncServices } from './syncs/runs/sync-services.js';
import { TapReadError } from './syncs/tap-read-error.js';
import type { TableServices } from './tables/table-context.js';

/** Creates the process-wide services of syncs. */
export function composeSyncs(tableServices: TableServices): SyncServices {
  return {
    tableServices,
    async openTap() {
      throw new TapReadError('internal', 'fail_tap', 'This version of the service cannot read taps.');
    },
  };
}
