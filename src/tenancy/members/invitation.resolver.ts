import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Base62Id } from '../../kernel/ids.js';
import type { ListSelection } from '../../kernel/reading/list-selection.js';
import { createPageType, PageArgs, type PageOf, readPage, SelectedList } from '../../kernel/reading/paging.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { Access } from '../access.js';
import { Invitation, type InvitationStatus } from '../invitation.js';
import type { Role } from '../role.js';
import { readUserRoles } from '../roles/read-user-roles.js';
import type { WorkspaceContext } from '../workspace-context.js';
import { invitationStatusOf } from './find-open-invitation.js';
import { InvitationArgs } from './invitation.inputs.js';
import { inviteUser } from './invite-user.js';
import { revokeInvite } from './revoke-invite.js';

type Row = Lean<Invitation>;
const InvitationPage = createPageType(Invitation, 'InvitationPage');

@Resolver(() => Invitation)
export class InvitationResolver {
  @Access('invitations:write')
  @Query(() => InvitationPage, { description: 'Invitations of the workspace in any state, newest first.' })
  invitations(
    @Args(() => PageArgs) page: PageArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: WorkspaceContext,
  ): Promise<PageOf<Invitation>> {
    return readPage(read, Invitation, page, list);
  }

  @Access('invitations:write')
  @Mutation(() => Invitation, {
    description:
      'Invites a person. The invitation expires after 14 days. CONFLICT if the address is already invited or belongs to a member. NOT_FOUND for an unknown role. FORBIDDEN for a role with permissions that the caller lacks.',
  })
  async inviteUser(
    @Args(() => InvitationArgs) person: InvitationArgs,
    @Ctx() { read, write, invitations }: WorkspaceContext,
  ): Promise<Row | undefined> {
    const { id } = await write(async (tx) => {
      const invitation = await inviteUser(tx, person);
      tx.afterCommit(() => invitations.deliver(invitation));
      return invitation;
    });
    return read.byId(Invitation, id);
  }

  @Access('invitations:revoke')
  @Mutation(() => Boolean, {
    description:
      'Revokes an invitation. NOT_FOUND if the invitation does not exist. CONFLICT if the invitation was accepted.',
  })
  async revokeInvite(
    @Arg('inviteId', () => Base62Id, { description: 'Id of the invitation.' }) inviteId: string,
    @Ctx() { write }: WorkspaceContext,
  ): Promise<boolean> {
    await write((tx) => revokeInvite(tx, inviteId));
    return true;
  }

  @FieldResolver()
  status(@Root() invitation: Row): InvitationStatus {
    return invitationStatusOf(invitation);
  }

  @FieldResolver()
  roles(@Root() { user }: Row, @Ctx() { read }: WorkspaceContext): Promise<Lean<Role>[]> {
    return readUserRoles(read, user);
  }
}
