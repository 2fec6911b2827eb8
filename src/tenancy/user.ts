import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { BooleanColumn, EnumColumn, PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { TenantAudited, TenantTable } from '../kernel/entities/tenant-table.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import { Base62Id, IdColumn } from '../kernel/ids.js';
import { Access } from './access.js';
import { Role } from './role.js';

export const UserStatus = wireEnum('UserStatus', 'Status of a user in a workspace.', {
  PENDING: 'The user is invited, but has not signed in yet.',
  ACTIVE: 'The user is a member.',
  SUSPENDED: 'The user has no access for now.',
  DEACTIVATED: 'The user is no longer a member, or the invitation was revoked.',
});
export type UserStatus = keyof typeof UserStatus;

@PlainObjectType('Member of a workspace. A person in two workspaces has two users.')
@TenantTable({ orderBy: { createdAt: 'asc', email: 'asc' } })
@Unique({ properties: ['tenantId', 'email'] })
@Unique({ properties: ['tenantId', 'issuer', 'subject'] })
@Listed({ filters: ['name', 'email', 'status', 'createdAt'], orders: ['name', 'email', 'createdAt'] })
export class User extends TenantAudited {
  @TextColumn('Display name.')
  name: string;

  @TextColumn('Email address in lower case, unique in the workspace.')
  email: string;

  @EnumColumn(UserStatus, 'Status. Only an ACTIVE user has access.')
  status: UserStatus;

  @Field(() => Base62Id, { description: 'Id of the workspace.' })
  @Property({ type: IdColumn })
  override tenantId: string;

  @BooleanColumn('Whether access requires a token with `mfa` in its `amr` claim (RFC 8176).')
  requireStrongAuth: boolean = false;

  @TextColumn('Language tag, such as `en-GB`. Null if unknown.', { nullable: true })
  locale?: string;

  @TextColumn('IANA time zone, such as `Europe/Berlin`. Null if unknown.', { nullable: true })
  timezone?: string;

  /** Issuer and `subject` together identify the user at the identity provider. The first sign-in sets both. */
  @Property({ type: 'text', nullable: true })
  issuer?: string;

  @Property({ type: 'text', nullable: true })
  subject?: string;

  @Access('workspace')
  @Field(() => [Role], { description: 'Roles of the user. The user has the permissions of all these roles.' })
  roles: Role[];

  @Access('workspace')
  @Field(() => [String], {
    description:
      'Sorted list of the effective permissions (`resource:action`). The list includes inherited permissions. Instead of a wildcard, it contains each permission that the wildcard covers. If the caller uses an API key of this user, the list contains the permissions of the key.',
  })
  permissions: string[];
}
