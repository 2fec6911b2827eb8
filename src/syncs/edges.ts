import { SyncJob } from '../instances/sync-job.js';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import type { ListEdge, RowEdge } from '../kernel/entities/list-edge.js';
import { HISTORY_LIMIT } from '../kernel/reading/paging.js';
import { TableVersion } from '../tables/table-version.js';
import type { AccessRule } from '../tenancy/access.js';
import { TapRun } from './tap-run.js';

export const syncLists: readonly ListEdge<AccessRule>[] = [
  {
    ...{ on: SyncJob, name: 'tapRuns', of: TapRun, by: 'job', access: 'syncs:read' },
    description: 'Runs of the taps, newest first. The list is empty for a job of an external runner.',
  },
  {
    ...{ on: TenantConnectorTap, name: 'runs', of: TapRun, by: 'tap' },
    ...{ most: HISTORY_LIMIT, access: 'syncs:read' },
    description: 'Runs of the tap, newest first. Without `limit`, returns the latest 50.',
  },
];

export const syncRows: readonly RowEdge<AccessRule>[] = [
  {
    ...{ on: TableVersion, name: 'tapRun', to: TapRun, by: 'tapRunId', access: 'syncs:read' },
    description: 'Tap run that created the version. Null unless the cause is `sync`.',
  },
];
