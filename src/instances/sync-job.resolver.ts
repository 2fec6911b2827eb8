import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { decodeId } from '../kernel/ids.js';
import type { ListSelection } from '../kernel/reading/list-selection.js';
import { createPageType, type PageOf, readPage, SelectedList } from '../kernel/reading/paging.js';
import type { Lean } from '../kernel/reading/reader.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import { Access } from '../tenancy/access.js';
import type { WorkspaceContext } from '../tenancy/workspace-context.js';
import { readInstance } from './find-instance.js';
import { recordSyncJob } from './record-sync-job.js';
import { SyncJobInput, SyncJobsArgs } from './sync-job.inputs.js';
import { SyncJob } from './sync-job.js';

/** Excludes the syncs of deleted connections. PostgreSQL searches only the deleted connections, which are few. */
const OF_SHOWN = `not exists (select from tenant_connector_instance i
  where i.tenant_id = sync_job.tenant_id and i.id = sync_job.instance_id and i.deleted_at is not null)`;

const SyncJobPage = createPageType(SyncJob, 'SyncJobPage');

@Resolver(() => SyncJob)
export class SyncJobResolver {
  @Access('connectors:read')
  @Query(() => SyncJobPage, {
    description:
      'Lists the syncs of the workspace, or of one connection, newest first. NOT_FOUND if the connection does not exist.',
  })
  async syncJobs(
    @Args(() => SyncJobsArgs) args: SyncJobsArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<SyncJob>> {
    if (args.instanceId) await readInstance(read, args.instanceId);
    return readPage(read, SyncJob, args, list, conditionOf(args));
  }

  @Access('sync_jobs:write')
  @Mutation(() => SyncJob, {
    description:
      'Creates or updates a sync job from the report of a runner. Omitted fields keep their value. A report of `succeeded` or `partial_success` without `errorCode` clears `errorCode`, and clears or replaces `errorMessage`. A report that repeats the stored values changes only `updatedAt`. For a finished job, a report with the same status changes nothing. Errors: NOT_FOUND if the connection does not exist, CONFLICT for a transition to an earlier status, or from one final status to another.',
  })
  async recordSyncJob(
    @Arg('input', { description: 'Report about the sync job.' }) input: SyncJobInput,
    @Ctx() { read, write }: WorkspaceContext,
  ): Promise<Lean<SyncJob> | undefined> {
    const id = await write((tx) => recordSyncJob(tx, input));
    return read.byId(SyncJob, id);
  }
}

function conditionOf({ instanceId, status, createdFrom, createdUntil }: SyncJobsArgs) {
  const conditions: [sql: string, value: unknown][] = [
    ['instance_id = ', instanceId && decodeId(instanceId)],
    ['status = ', status],
    ['created_at >= ', createdFrom?.toISOString()],
    ['created_at < ', createdUntil?.toISOString()],
  ];
  const given = conditions.filter(([, value]) => value != null);
  const where = given.map(([sql], at) => `${sql}$${at + 1}`);
  if (!instanceId) where.push(OF_SHOWN);
  return { where: where.join(' and '), values: given.map(([, value]) => value) };
}
