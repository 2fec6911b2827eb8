import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver } from 'type-graphql';
import type { Lean, MaybePromise } from '../../kernel/reading/reader.js';
import { Access } from '../access.js';
import { WorkspaceStorage } from '../storage-usage.js';
import { Workspace } from '../workspace.js';
import type { WorkspaceContext } from '../workspace-context.js';
import { updateWorkspace } from './update-workspace.js';
import { WorkspaceInput } from './workspace.inputs.js';

@Resolver(() => Workspace)
export class WorkspaceResolver {
  @Access('workspace')
  @Query(() => Workspace, { description: 'The workspace of the request.' })
  workspace(@Ctx() { read, caller }: WorkspaceContext): MaybePromise<Lean<Workspace> | undefined> {
    return read.byId(Workspace, caller.tenantId);
  }

  @FieldResolver(() => WorkspaceStorage, { description: 'Storage usage and quota.' })
  storage(@Ctx() { read, caller, storage }: WorkspaceContext): Promise<WorkspaceStorage> {
    return storage.readUsage(read, caller.tenantId);
  }

  @Access('workspace:write')
  @Mutation(() => Workspace, {
    description: 'Changes settings of the workspace. BAD_REQUEST for an invalid redirect URI.',
  })
  async updateWorkspace(
    @Arg('input', { description: 'Changes to the workspace.' }) input: WorkspaceInput,
    @Ctx() { read, write, caller }: WorkspaceContext,
  ): Promise<Lean<Workspace> | undefined> {
    await write((tx) => updateWorkspace(tx, input));
    return read.byId(Workspace, caller.tenantId);
  }
}
