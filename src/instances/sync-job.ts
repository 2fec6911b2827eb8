import type { Ref } from '@mikro-orm/core';
import { Index, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { SyncErrorClass } from '../catalog/model/sync-error-class.js';
import { AnnouncesChanges } from '../kernel/changes/change.js';
import {
  BooleanColumn,
  DateTimeColumn,
  EnumColumn,
  IntColumn,
  PlainObjectType,
  TextColumn,
} from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Access } from '../tenancy/access.js';
import { SyncErrorCode, SyncJobStatus, SyncTrigger } from './sync-job-status.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';

@PlainObjectType('One reading of the taps of a connection, by the service or by an external runner.')
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Index({
  properties: ['tenantId', 'createdAt', 'id'],
  columns: [{ name: 'tenantId' }, { name: 'createdAt', sort: 'desc' }, { name: 'id' }],
})
@Index({ properties: ['instance', 'createdAt'] })
@Index({ properties: ['instance', 'status', 'finishedAt'] })
@Unique({ properties: ['tenantId', 'instance', 'externalId'] })
@AnnouncesChanges({ parent: 'new.instance_id' })
@Listed({
  filters: [
    'status',
    'trigger',
    'errorCode',
    'errorClass',
    'isInitial',
    'qualityDegraded',
    'instance',
    'createdAt',
    'startedAt',
    'finishedAt',
  ],
  orders: ['createdAt', 'startedAt', 'finishedAt'],
})
export class SyncJob extends TenantAudited {
  @Access('connectors:read')
  @Field(() => TenantConnectorInstance, { description: 'The connection. Null if it was deleted.', nullable: true })
  @TenantRelation(() => TenantConnectorInstance, 'instance_id')
  instance: Ref<TenantConnectorInstance>;

  @TextColumn(
    'Id that the external runner gave to the job, unique within the connection. Null for a job of the service.',
    {
      nullable: true,
    },
  )
  externalId?: string;

  @EnumColumn(SyncTrigger, 'What started the job.')
  trigger: SyncTrigger;

  @DateTimeColumn(
    'End of the time range that the job reads: the end of the requested `range` or, without a range, the creation time of the job. Null for a job of an external runner.',
    {
      nullable: true,
    },
  )
  runUntil?: Date;

  @EnumColumn(SyncJobStatus, 'Status of the job.')
  status: SyncJobStatus;

  @BooleanColumn('Whether no earlier job of the connection has the status `succeeded` or `partial_success`.')
  isInitial: boolean;

  @DateTimeColumn('Time at which the job started. Null if it has not started.', { nullable: true })
  startedAt?: Date;

  @DateTimeColumn('Time at which the job ended. Null if it has not ended.', { nullable: true })
  finishedAt?: Date;

  @IntColumn('Number of records read from the source so far. Null if unknown.', { nullable: true })
  recordsRead?: number;

  @IntColumn('Number of records written to tables so far. Null if unknown.', { nullable: true })
  recordsWritten?: number;

  @IntColumn('Number of records that became rejects so far. Null if unknown.', {
    nullable: true,
  })
  recordsRejected?: number;

  @EnumColumn(
    SyncErrorCode,
    'Party that caused the first failure of a tap. Null if no tap failed. Also null for a failure of the class `configuration`. For a job of an external runner, the party that the runner reported.',
    { nullable: true },
  )
  errorCode?: SyncErrorCode;

  @EnumColumn(
    SyncErrorClass,
    'Class of the first failure of a tap. Null if no tap failed. Also null for a job of an external runner.',
    {
      nullable: true,
    },
  )
  errorClass?: SyncErrorClass;

  @TextColumn('Description of the failure, or the message that a runner reported. Null if there is no message.', {
    nullable: true,
  })
  errorMessage?: string;

  @BooleanColumn(
    'Whether a quality gate rejected the rows of a tap, or an external runner reported a failed quality check.',
  )
  qualityDegraded: boolean = false;
}
