import type { Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { SyncErrorClass } from '../catalog/model/sync-error-class.js';
import { TapRunMode } from '../catalog/model/table-mode.js';
import { SyncJob } from '../instances/sync-job.js';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import {
  BooleanColumn,
  ByteCountColumn,
  DateTimeColumn,
  EnumColumn,
  IntColumn,
  PlainObjectType,
  TextColumn,
} from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Access } from '../tenancy/access.js';
import { NO_COUNTS, type RunCounts } from './run-counts.js';
import { TapRunStatus } from './tap-run-status.js';

@PlainObjectType('The part of a sync job that reads one tap. The counts of a run in progress are at most 1 second old.')
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'job', 'tap'] })
@Index({ properties: ['tap', 'createdAt'] })
@Listed({
  filters: ['status', 'mode', 'errorClass', 'job', 'tap', 'createdAt', 'startedAt', 'finishedAt'],
  orders: ['createdAt', 'startedAt', 'finishedAt'],
})
export class TapRun extends TenantAudited {
  @Access('connectors:read')
  @Field(() => SyncJob, { description: 'Sync job of the run.' })
  @TenantRelation(() => SyncJob, 'job_id')
  job: Ref<SyncJob>;

  @Access('connectors:read')
  @Field(() => TenantConnectorTap, { description: 'Tap that is read. Null if it was deleted.', nullable: true })
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  @EnumColumn(TapRunMode, 'How the run changes the table.')
  mode: TapRunMode;

  @EnumColumn(TapRunStatus, 'Status of the run.')
  status: TapRunStatus = 'pending';

  @DateTimeColumn(
    "End of the time range that the run reads. For an incremental tap without a requested `range`, the service converts this time to the vendor's clock when it plans the slices.",
  )
  runUntil: Date;

  @DateTimeColumn('Start of the time range that the run reads again. Null for a run without a requested time range.', {
    nullable: true,
  })
  rangeFrom?: Date;

  @BooleanColumn('Whether the run reads the tap from the start, instead of from the saved cursors.', {
    default: false,
  })
  isResync: boolean = false;

  @ByteCountColumn('Number of records read so far.')
  recordsRead: number = 0;

  @ByteCountColumn('Number of rows written so far.')
  recordsWritten: number = 0;

  @ByteCountColumn('Number of records that became rejects so far.')
  recordsRejected: number = 0;

  @ByteCountColumn('Size of the response bodies read so far, in bytes.')
  bytesRead: number = 0;

  @ByteCountColumn('Number of requests sent so far.')
  requests: number = 0;

  @IntColumn(
    'Number of slices: parts of the tap, such as the records of one parent. Null until the service has planned the slices. After the first commit of the run, the number is never null.',
    {
      nullable: true,
    },
  )
  slicesTotal?: number;

  @IntColumn('Number of slices that the run has read or skipped so far.')
  slicesDone: number = 0;

  @IntColumn(
    'Number of parent records whose children the run does not read, because the definition has a `fanOutLimit`.',
  )
  leftOutParents: number = 0;

  @EnumColumn(SyncErrorClass, 'Reason why the run failed or was skipped. Null for all other runs.', {
    nullable: true,
  })
  errorClass?: SyncErrorClass;

  @TextColumn(
    'Description of the failure, or of the reason why the run was skipped or cancelled. Null for an open or successful run.',
    { nullable: true },
  )
  errorMessage?: string;

  @DateTimeColumn(
    'Time until which the service holds the rows of this run. Null if the service held no rows, or if the held rows were accepted or discarded. The service holds rows if too many records of the table were missing from a full read (check `missing_rate`). `decideHeldRows` accepts or discards the rows.',
    { nullable: true },
  )
  heldUntil?: Date;

  @DateTimeColumn('Earliest time at which a waiting run continues. Null unless the status of the run is `waiting`.', {
    nullable: true,
  })
  notBefore?: Date;

  @DateTimeColumn('Time at which the run started. Null if it has not started.', { nullable: true })
  startedAt?: Date;

  @DateTimeColumn('Time at which the run ended. Null if it has not ended.', { nullable: true })
  finishedAt?: Date;

  /** Counts of the committed steps. Excludes the current step, whose records are read again if its worker dies. */
  @Property({ type: 'json', columnType: 'json' })
  committed: RunCounts = NO_COUNTS;

  /**
   * Whether the run, at its end, deletes the records of the table that it has not read. The plan of the slices sets
   * this value.
   */
  @Property({ type: 'boolean', default: false })
  deletesAbsent: boolean = false;

  @Property({ type: 'integer', default: 0 })
  idleWaits: number = 0;

  /** Number of consecutive failed attempts of the current step. Attempts whose worker was killed do not count. */
  @Property({ type: 'integer', default: 0 })
  failedAttempts: number = 0;
}
