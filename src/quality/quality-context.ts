import type { TableParts } from '../tables/table-context.js';
import type { InspectionParts } from './inspection.js';

/** What looking at tables needs, once for a process. */
export interface QualityParts extends Pick<TableParts, 'em' | 'tables' | 'jobs' | 'report'> {
  readonly inspection: InspectionParts;
}
