import type { TableServices } from '../../tables/table-context.js';
import type { InspectionServices } from '../checks/inspection.js';

/** What looking at tables needs, once for a process. */
export interface QualityServices extends Pick<TableServices, 'em' | 'tables' | 'jobs' | 'report'> {
  readonly inspection: InspectionServices;
}
