import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Lean } from '../kernel/reading/reader.js';
import { Access } from '../tenancy/access.js';
import type { WorkspaceContext } from '../tenancy/workspace-context.js';
import { recordSyncJob } from './record-sync-job.js';
import { SyncJobInput } from './sync-job.inputs.js';
import { SyncJob } from './sync-job.js';

@Resolver(() => SyncJob)
export class SyncJobResolver {
  @Access('sync_jobs:write')
  @Mutation(() => SyncJob, {
    description:
      'Creates or updates a sync job from the report of a runner. A repeated report only updates `updatedAt` of an unfinished job. Errors: NOT_FOUND if the connection does not exist, CONFLICT for a transition to an earlier status.',
  })
  async recordSyncJob(
    @Arg('input', { description: 'The report.' }) input: SyncJobInput,
    @Ctx() { read, write }: WorkspaceContext,
  ): Promise<Lean<SyncJob> | undefined> {
    const id = await write((tx) => recordSyncJob(tx, input));
    return read.byId(SyncJob, id);
  }
}
