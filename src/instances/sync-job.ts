import type { Ref } from '@mikro-orm/core';
import { Index, Unique } from '@mikro-orm/decorators/legacy';
import {
  BooleanColumn,
  DateTimeColumn,
  EnumColumn,
  IntColumn,
  PlainObjectType,
  TextColumn,
} from '../kernel/entities/column-decorators.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { SyncErrorCode, SyncJobStatus } from './sync-job-status.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';

@PlainObjectType('One run of the taps of a connection, as its runner reports it.')
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Index({ properties: ['instance', 'createdAt'] })
@Index({ properties: ['instance', 'status', 'finishedAt'] })
@Unique({ properties: ['tenantId', 'instance', 'externalId'] })
export class SyncJob extends TenantAudited {
  @TenantRelation(() => TenantConnectorInstance, 'instance_id')
  instance: Ref<TenantConnectorInstance>;

  @TextColumn("The runner's own name of the run, unique within the connection.")
  externalId: string;

  @EnumColumn(SyncJobStatus, 'How far it is.')
  status: SyncJobStatus;

  @BooleanColumn('Whether no job of the connection had succeeded before.')
  isInitial: boolean;

  @DateTimeColumn('When it was first reported to run.', { nullable: true })
  startedAt?: Date;

  @DateTimeColumn('When it was reported to have ended.', { nullable: true })
  finishedAt?: Date;

  @IntColumn('Records read from the source so far.', { nullable: true })
  recordsRead?: number;

  @IntColumn('Records written to tables so far.', { nullable: true })
  recordsWritten?: number;

  @IntColumn('Records that did not fit their schema so far.', { nullable: true })
  recordsRejected?: number;

  @EnumColumn(SyncErrorCode, 'Whose fault it was.', { nullable: true })
  errorCode?: SyncErrorCode;

  @TextColumn('What went wrong, in the words of the runner.', { nullable: true })
  errorMessage?: string;

  @BooleanColumn('Whether a quality gate failed after it.')
  qualityDegraded: boolean = false;
}
