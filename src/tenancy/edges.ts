import type { ListEdge } from '../kernel/entities/list-edge.js';
import type { AccessRule } from './access.js';
import { Invitation } from './invitation.js';
import { Role } from './role.js';
import { User } from './user.js';

const LINKS = 'select from user_role link where link.tenant_id';

export const tenancyLists: readonly ListEdge<AccessRule>[] = [
  {
    ...{ on: User, name: 'roles', of: Role },
    match: `exists (${LINKS} = role.tenant_id and link.role_id = role.id and link.user_id = wanted.id)`,
  },
  {
    ...{ on: User, name: 'invitations', of: Invitation, by: 'user', access: 'invitations:write' },
    description: 'Invitations of the user, newest first.',
  },
  {
    ...{ on: Role, name: 'users', of: User, access: 'member' },
    match: `exists (${LINKS} = "user".tenant_id and link.user_id = "user".id and link.role_id = wanted.id)`,
    description:
      'Users with this role, oldest first. The list omits users who have only a role that inherits from this role.',
  },
  {
    ...{ on: Role, name: 'childRoles', of: Role, by: 'parentRole', access: 'workspace' },
    description: 'Roles that inherit the permissions of this role directly, oldest first.',
  },
  {
    ...{ on: Invitation, name: 'roles', of: Role },
    match: `exists (select from invitation join user_role link using (tenant_id, user_id)
      where invitation.tenant_id = role.tenant_id and link.role_id = role.id and invitation.id = wanted.id)`,
  },
];
