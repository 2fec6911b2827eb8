import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { findInstance } from '../../instances/find-instance.js';
import { SyncJob } from '../../instances/sync-job.js';
import { Base62Id } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import { TapRun } from '../tap-run.js';
import { TapRunLog } from '../tap-run-log.js';
import { TapRunTimeline } from '../tap-run-timeline.js';

@Resolver(() => TapRun)
export class SyncTimelineResolver {
  @Access('syncs:read')
  @Query(() => [TapRun], {
    nullable: true,
    description: 'The tap runs of a sync, newest first, each with its `timeline`. Null if the sync does not exist.',
  })
  async syncTimeline(
    @Arg('id', () => Base62Id, { description: 'Id of the sync.' }) id: string,
    @Ctx() { read }: RequestContext,
  ): Promise<readonly Lean<TapRun>[] | undefined> {
    const job = await read.byId(SyncJob, id);
    // The API does not return syncs of deleted connections.
    return job && (await findInstance(read, job.instance)) ? read.many(TapRun, 'job', id) : undefined;
  }

  @Access('syncs:read')
  @FieldResolver(() => TapRunTimeline, {
    description: 'The latest steps and requests. The step in progress appears when it ends, usually within 15 seconds.',
  })
  async timeline(@Root() { id }: Lean<TapRun>, @Ctx() { read }: RequestContext): Promise<TapRunTimeline> {
    const [log] = await read.many(TapRunLog, 'run', id);
    return (log ?? { steps: [], requests: [] }) as TapRunTimeline;
  }
}
