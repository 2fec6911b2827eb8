import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { BooleanColumn, EnumColumn, PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { TenantAudited, TenantTable } from '../kernel/entities/tenant-table.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import { Base62Id, IdColumn } from '../kernel/ids.js';
import { Access } from './access.js';
import { Role } from './role.js';

export const UserStatus = wireEnum('UserStatus', 'Where somebody stands in a workspace.', {
  PENDING: 'Invited, has not signed in yet.',
  ACTIVE: 'A member.',
  SUSPENDED: 'Locked out for a time.',
  DEACTIVATED: 'No longer a member, or the invitation was revoked.',
});
export type UserStatus = keyof typeof UserStatus;

@PlainObjectType('Somebody in a workspace. The same person in two workspaces is two users.')
@TenantTable({ orderBy: { createdAt: 'asc', email: 'asc' } })
@Unique({ properties: ['tenantId', 'email'] })
@Unique({ properties: ['tenantId', 'issuer', 'subject'] })
export class User extends TenantAudited {
  @TextColumn('Name for people.')
  name: string;

  @TextColumn('Address, lower case; unique in the workspace.')
  email: string;

  @EnumColumn(UserStatus, 'Only an ACTIVE user is let in.')
  status: UserStatus;

  @Field(() => Base62Id, { description: 'The workspace.' })
  @Property({ type: IdColumn })
  override tenantId: string;

  @BooleanColumn('Let in only with a token that says `mfa` in its `amr` claim (RFC 8176).')
  requireStrongAuth: boolean = false;

  @TextColumn('Language, such as `en-GB`.', { nullable: true })
  locale?: string;

  @TextColumn('Time zone, such as `Europe/Berlin`.', { nullable: true })
  timezone?: string;

  /** With `subject`, who this is at the identity provider; set at the first sign-in. */
  @Property({ type: 'text', nullable: true })
  issuer?: string;

  @Property({ type: 'text', nullable: true })
  subject?: string;

  @Access('workspace')
  @Field(() => [Role], { description: 'What the user may do is what all of these allow together.' })
  roles: Role[];

  @Access('workspace')
  @Field(() => [String], {
    description:
      'Effective permissions, `resource:action`, sorted: those of all roles and of the roles that these inherit from, wildcards resolved. For a caller with an API key, those of the key.',
  })
  permissions: string[];
}
