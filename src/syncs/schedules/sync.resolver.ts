import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { findInstance } from '../../instances/find-instance.js';
import { SyncJob } from '../../instances/sync-job.js';
import { AppError } from '../../kernel/errors.js';
import { Base62Id } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import type { TableContext } from '../../tables/table-context.js';
import { Access } from '../../tenancy/access.js';
import { cancelSync } from '../lifecycle/cancel-sync.js';
import { type SyncScope, startSync } from '../lifecycle/start-sync.js';
import { requireServiceRuns } from './require-service-runs.js';
import { StartSyncArgs } from './sync.inputs.js';

const ID = { description: 'Id of the sync.' };

@Resolver(() => SyncJob)
export class SyncResolver {
  @Access('syncs:read')
  @Query(() => SyncJob, { nullable: true, description: 'A sync by id. Null if it does not exist.' })
  async sync(
    @Arg('id', () => Base62Id, ID) id: string,
    @Ctx() { read }: RequestContext,
  ): Promise<Lean<SyncJob> | undefined> {
    const job = await read.byId(SyncJob, id);
    // The API does not return syncs of deleted connections.
    return job && (await findInstance(read, job.instance)) ? job : undefined;
  }

  @Access('syncs:write')
  @Mutation(() => SyncJob, {
    description:
      'Starts a sync of a connection. If a sync of the connection is open, adds the requested taps to the open sync and returns the open sync. Errors: BAD_REQUEST for an invalid `range`, NOT_FOUND if the connection or a tap does not exist. CONFLICT if the connection is disabled, if an external runner reads it, or if the service can read none of its taps. CONFLICT if the service cannot read a requested tap, for example because the tap is disabled. CONFLICT for a `range` or the mode `resync` while a sync of the connection is open.',
  })
  async startSync(
    @Args(() => StartSyncArgs) { instanceId, tapIds, ...scope }: StartSyncArgs,
    @Ctx() { read, write, tableServices }: TableContext,
  ): Promise<Lean<SyncJob> | undefined> {
    const request = { trigger: 'manual', tapIds: tapIds ?? undefined, ...scopeOf(scope) } as const;
    const id = await write(async (tx) => {
      await requireServiceRuns(tx.read, instanceId);
      return startSync(tx, tableServices, instanceId, request);
    });
    return read.byId(SyncJob, id);
  }

  @Access('syncs:write')
  @Mutation(() => SyncJob, {
    description:
      'Cancels a sync. The service stops reading the taps within 2 seconds. Their tables keep the rows that are already committed. In mode `replace`, an incomplete read does not change the table. Has no effect on a sync that has ended. Errors: NOT_FOUND if the sync does not exist, CONFLICT for a sync of an external runner.',
  })
  async cancelSync(
    @Arg('id', () => Base62Id, ID) id: string,
    @Ctx() { read, write, tableServices }: TableContext,
  ): Promise<Lean<SyncJob> | undefined> {
    await write((tx) => cancelSync(tx, tableServices, id));
    return read.byId(SyncJob, id);
  }
}

function scopeOf({ mode, range }: Pick<StartSyncArgs, 'mode' | 'range'>): SyncScope {
  const isResync = mode === 'resync';
  if (!range) return { isResync };
  const now = new Date();
  if (isResync) throw new AppError('BAD_REQUEST', 'range and the mode resync cannot be combined.');
  if (range.from >= (range.until ?? now))
    throw new AppError(
      'BAD_REQUEST',
      'range.from must be before range.until. Without range.until, range.from must be in the past.',
    );
  return { range };
}
