import type { Ref } from '@mikro-orm/core';
import { Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { TenantConnectorInstance } from '../instances/tenant-connector-instance.js';
import {
  DateTimeColumn,
  EnumColumn,
  IntColumn,
  PlainObjectType,
  TextColumn,
} from '../kernel/entities/column-decorators.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import { Access } from '../tenancy/access.js';

export const SyncScheduleKind = wireEnum('SyncScheduleKind', 'What starts the syncs of a connection.', {
  interval: 'The service, at regular intervals.',
  cron: 'The service, at the times of a cron expression.',
  manual: 'Only callers start syncs. The service starts none.',
  external: 'An external runner, which reports its jobs. The service does not read the connection.',
});
export type SyncScheduleKind = keyof typeof SyncScheduleKind;

export const DEFAULT_INTERVAL_MINUTES = 6 * 60;

@PlainObjectType('When the syncs of a connection start.')
@TenantTable({ orderBy: { createdAt: 'asc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'instance'] })
export class SyncSchedule extends TenantAudited {
  @Access('connectors:read')
  @Field(() => TenantConnectorInstance, { description: 'The connection. Null if it was deleted.', nullable: true })
  @TenantRelation(() => TenantConnectorInstance, 'instance_id')
  instance: Ref<TenantConnectorInstance>;

  @EnumColumn(SyncScheduleKind, 'What starts the syncs.')
  kind: SyncScheduleKind;

  @IntColumn('Minutes between two syncs, for kind `interval`. Null for other kinds.', { nullable: true })
  intervalMinutes?: number;

  @TextColumn(
    'Cron expression, for kind `cron`, such as `0 6 * * 1-5`: minute, hour, day of month, month and day of week. Null for other kinds.',
    { nullable: true },
  )
  cron?: string;

  @TextColumn('IANA name of the time zone of `cron` and the quiet hours.')
  timezone: string = 'UTC';

  @TextColumn('Start of the daily quiet hours, as `HH:MM`. Null without quiet hours.', { nullable: true })
  quietFrom?: string;

  @TextColumn('End of the daily quiet hours, as `HH:MM`. Null without quiet hours.', { nullable: true })
  quietUntil?: string;

  @DateTimeColumn(
    'When the next scheduled sync is due. Null for kinds `manual` and `external`. While the schedule is paused, the service starts no sync at this time.',
    { nullable: true },
  )
  nextRunAt?: Date;
}
