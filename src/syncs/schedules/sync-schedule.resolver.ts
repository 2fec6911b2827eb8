import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { TenantConnectorInstance } from '../../instances/tenant-connector-instance.js';
import { Base62Id } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import type { TableContext } from '../../tables/table-context.js';
import { Access } from '../../tenancy/access.js';
import { SyncSchedule } from '../sync-schedule.js';
import { findSchedule } from './read-schedule.js';
import { setSyncSchedule } from './set-sync-schedule.js';
import { SetSyncScheduleArgs } from './sync-schedule.inputs.js';

@Resolver(() => TenantConnectorInstance)
export class SyncScheduleResolver {
  @Access('syncs:read')
  @FieldResolver(() => SyncSchedule, {
    nullable: true,
    description:
      'Schedule of the syncs. Null if the connection has no schedule. If a connection has no schedule when its credentials become valid, the service sets the default schedule, unless the service setting `INITIAL_SYNC` is off.',
  })
  syncSchedule(
    @Root() { id }: Lean<TenantConnectorInstance>,
    @Ctx() { read }: RequestContext,
  ): Promise<Lean<SyncSchedule> | undefined> {
    return findSchedule(read, id);
  }

  @Access('syncs:read')
  @Query(() => SyncSchedule, {
    name: 'syncSchedule',
    nullable: true,
    description: 'Schedule of a connection. Null if the connection does not exist or has no schedule.',
  })
  syncScheduleOf(
    @Arg('instanceId', () => Base62Id, { description: 'Id of the connection.' }) instanceId: string,
    @Ctx() { read }: RequestContext,
  ): Promise<Lean<SyncSchedule> | undefined> {
    return findSchedule(read, instanceId);
  }

  @Access('syncs:write')
  @Mutation(() => SyncSchedule, {
    description:
      'Replaces the schedule of a connection. If several connections have the same schedule, the service distributes their syncs across the interval. For the kind `cron`, it distributes them across the minute after each time of the expression. Errors: NOT_FOUND if the connection does not exist, BAD_REQUEST for an invalid schedule.',
  })
  async setSyncSchedule(
    @Args(() => SetSyncScheduleArgs) args: SetSyncScheduleArgs,
    @Ctx() { read, write, tableServices }: TableContext,
  ): Promise<Lean<SyncSchedule> | undefined> {
    await write((tx) => setSyncSchedule(tx, tableServices.jobs, args));
    return findSchedule(read, args.instanceId);
  }
}
