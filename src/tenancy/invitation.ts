import type { Ref } from '@mikro-orm/core';
import { Index } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { DateTimeColumn, PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import { Access } from './access.js';
import { Role } from './role.js';
import { User } from './user.js';

export const InvitationStatus = wireEnum('InvitationStatus', 'What became of an invitation.', {
  pending: 'Waits for the first sign-in.',
  accepted: 'The person is a member.',
  revoked: 'Taken back.',
  expired: 'Ran out before the first sign-in.',
});
export type InvitationStatus = keyof typeof InvitationStatus;

@PlainObjectType(
  'That somebody may join. It is accepted by signing in with the address, verified by the identity provider.',
)
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Index({ properties: ['tenantId', 'email'] })
@Index({ properties: ['user'] })
export class Invitation extends TenantAudited {
  @TextColumn('Address of the person, lower case.')
  email: string;

  @DateTimeColumn('When it runs out.')
  expiresAt: Date;

  @DateTimeColumn('When the person signed in first.', { nullable: true })
  acceptedAt?: Date;

  @DateTimeColumn('When it was taken back.', { nullable: true })
  revokedAt?: Date;

  /** The PENDING user that the person becomes. */
  @TenantRelation(() => User, 'user_id')
  user: Ref<User>;

  @Field(() => InvitationStatus, { description: 'What became of it.' })
  status: InvitationStatus;

  @Access('invitations:write')
  @Field(() => [Role], { description: 'Roles that the person is given.' })
  roles: Role[];
}
