import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Base62Id } from '../../kernel/ids.js';
import type { ListSelection } from '../../kernel/reading/list-selection.js';
import { ListOf, OptionalPageArgs, SelectedList } from '../../kernel/reading/paging.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { Access } from '../access.js';
import { BUILT_IN_ROLES } from '../permissions.js';
import { Role } from '../role.js';
import type { WorkspaceContext } from '../workspace-context.js';
import { ownGrantsOf } from './grantable-roles.js';
import { RoleInput } from './role.inputs.js';
import { createRole, deleteRole, updateRole } from './write-role.js';

type Row = Lean<Role>;

/** Greater than the number of roles that any workspace needs. */
const MAX_ROLES = 1_000;

@Resolver(() => Role)
export class RoleResolver {
  @Access('workspace')
  @Query(() => [Role], {
    description:
      'Roles of the workspace, oldest first. Without `limit`, returns all roles, or fails with BAD_REQUEST if there are more than 1,000.',
  })
  @ListOf(Role)
  roles(
    @Args(() => OptionalPageArgs) { limit, offset }: OptionalPageArgs,
    @SelectedList() selection: ListSelection,
    @Ctx() { read }: WorkspaceContext,
  ): Promise<Row[]> {
    return read.pageOrAll(Role, { limit, offset, selection, most: MAX_ROLES });
  }

  @Access('workspace')
  @Query(() => Int, { description: 'Number of roles of the workspace.' })
  @ListOf(Role)
  rolesTotal(@SelectedList() selection: ListSelection, @Ctx() { read }: WorkspaceContext): Promise<number> {
    return read.count(Role, 'true', [], selection);
  }

  @Access('roles:write')
  @Mutation(() => Role, {
    description:
      'Creates a role. CONFLICT if another role has the same name. BAD_REQUEST for an unknown permission, NOT_FOUND for an unknown parent role. FORBIDDEN if the role would have permissions that the caller lacks.',
  })
  async createRole(@Arg('input') input: RoleInput, @Ctx() { read, write }: WorkspaceContext): Promise<Row | undefined> {
    const { id } = await write((tx) => createRole(tx, input));
    return read.byId(Role, id);
  }

  @Access('roles:write')
  @Mutation(() => Role, {
    description:
      'Replaces all values of a role. CONFLICT for a built-in role, or if another role has the same name. NOT_FOUND if the role or its parent role does not exist. BAD_REQUEST for an unknown permission, or if the role would inherit from itself. FORBIDDEN if the role has or would have permissions that the caller lacks.',
  })
  async updateRole(
    @Arg('id', () => Base62Id, { description: 'Id of the role.' }) id: string,
    @Arg('input') input: RoleInput,
    @Ctx() { read, write }: WorkspaceContext,
  ): Promise<Row | undefined> {
    await write((tx) => updateRole(tx, id, input));
    return read.byId(Role, id);
  }

  @Access('roles:write')
  @Mutation(() => Boolean, {
    description:
      'Deletes a role. CONFLICT if the role is built in, assigned to a user or inherited by another role. NOT_FOUND if the role does not exist. FORBIDDEN if the role has permissions that the caller lacks.',
  })
  async deleteRole(
    @Arg('id', () => Base62Id, { description: 'Id of the role.' }) id: string,
    @Ctx() { write }: WorkspaceContext,
  ): Promise<boolean> {
    await write((tx) => deleteRole(tx, id));
    return true;
  }

  @FieldResolver()
  description(@Root() { builtIn, description }: Row): string | undefined {
    return builtIn ? BUILT_IN_ROLES[builtIn].description : description;
  }

  @FieldResolver()
  permissions(@Root() role: Row): readonly string[] {
    return ownGrantsOf(role);
  }

  @FieldResolver()
  parentRoleId(@Root() { parentRole }: Row): string | undefined {
    return parentRole;
  }
}
