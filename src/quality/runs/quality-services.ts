import type { SyncBacklog } from '../../syncs/runs/sync-backlog.js';
import type { TableServices } from '../../tables/table-context.js';
import type { InspectionServices } from '../checks/inspection.js';

/** Process-wide services for quality checks. */
export interface QualityServices extends Pick<TableServices, 'em' | 'tables' | 'jobs' | 'report'> {
  readonly inspection: InspectionServices;
  readonly backlog: SyncBacklog;
}
