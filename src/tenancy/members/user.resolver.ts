import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Base62Id } from '../../kernel/ids.js';
import type { ListSelection } from '../../kernel/reading/list-selection.js';
import { createPageType, PageArgs, type PageOf, readPage, SelectedList } from '../../kernel/reading/paging.js';
import type { Lean, MaybePromise } from '../../kernel/reading/reader.js';
import { Access } from '../access.js';
import { resolvePermissions } from '../permissions.js';
import type { Role } from '../role.js';
import { readUserGrants, readUserRoles } from '../roles/read-user-roles.js';
import { User } from '../user.js';
import type { WorkspaceContext } from '../workspace-context.js';
import { updateUser } from './update-user.js';
import { UserInput } from './user.inputs.js';

type Row = Lean<User>;
const UserPage = createPageType(User, 'UserPage');

@Resolver(() => User)
export class UserResolver {
  @Access('workspace')
  @Query(() => User, { description: 'The current user. For an API key, the user who created the key.' })
  me(@Ctx() { read, caller }: WorkspaceContext): MaybePromise<Row | undefined> {
    return read.byId(User, caller.userId);
  }

  @Access('member')
  @Query(() => UserPage, { description: 'Users of the workspace, oldest first.' })
  users(
    @Args(() => PageArgs) page: PageArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: WorkspaceContext,
  ): Promise<PageOf<User>> {
    return readPage(read, User, page, list);
  }

  @Access('roles:write')
  @Mutation(() => User, {
    description:
      'Changes a user. NOT_FOUND if the user does not exist. FORBIDDEN if the user has, or would get, permissions that the caller lacks. CONFLICT if no active owner would remain, or if `status` is given for a user who has not signed in yet. BAD_REQUEST for an invalid locale or time zone.',
  })
  async updateUser(
    @Arg('id', () => Base62Id, { description: 'Id of the user.' }) id: string,
    @Arg('input') input: UserInput,
    @Ctx() { read, write }: WorkspaceContext,
  ): Promise<Row | undefined> {
    await write((tx) => updateUser(tx, id, input));
    return read.byId(User, id);
  }

  @FieldResolver()
  roles(@Root() { id }: Row, @Ctx() { read }: WorkspaceContext): Promise<Lean<Role>[]> {
    return readUserRoles(read, id);
  }

  @FieldResolver()
  async permissions(@Root() { id }: Row, @Ctx() { read, caller }: WorkspaceContext): Promise<string[]> {
    return resolvePermissions(id === caller.userId ? caller.grants : await readUserGrants(read, id));
  }
}
