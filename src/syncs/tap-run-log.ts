import type { Ref } from '@mikro-orm/core';
import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import type { TapRequestTrace } from './tap-request-trace.js';
import { TapRun } from './tap-run.js';
import type { TapRunStep } from './tap-run-timeline.js';

/** The log has its own table, because most reads of runs do not need it. */
@TenantTable()
@Unique({ properties: ['tenantId', 'run'] })
export class TapRunLog extends TenantOwned {
  @TenantRelation(() => TapRun, 'tap_run_id', { deleteRule: 'cascade' })
  run: Ref<TapRun>;

  /** Oldest first. */
  @Property({ type: 'json', columnType: 'json' })
  steps: TapRunStep[];

  /** Oldest first. */
  @Property({ type: 'json', columnType: 'json' })
  requests: TapRequestTrace[];
}
