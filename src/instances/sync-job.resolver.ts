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
      'Takes the report of a runner: queued, running, ended with counts. A repeated report changes nothing but when a job that runs was last heard of. NOT_FOUND where there is no such connection, CONFLICT for a job that would go back.',
  })
  async recordSyncJob(
    @Arg('input', { description: 'The report.' }) input: SyncJobInput,
    @Ctx() { read, write }: WorkspaceContext,
  ): Promise<Lean<SyncJob> | undefined> {
    const id = await write((tx) => recordSyncJob(tx, input));
    return read.byId(SyncJob, id);
  }
}
