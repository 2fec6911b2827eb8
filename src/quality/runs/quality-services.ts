import type { SyncBacklog } from '../../syncs/runs/sync-backlog.js';
import type { TableServices } from '../../tables/table-context.js';
import type { InspectionServices } from '../checks/inspection.js';

export interface QualityServices extends Pick<TableServices, 'em' | 'tables' | 'jobs' | 'report'> {
  readonly inspection: InspectionServices;
  readonly backlog: SyncBacklog;
}
