import type { Ref } from '@mikro-orm/core';
import { Index } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { DateTimeColumn, PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import { Access } from './access.js';
import { Role } from './role.js';
import { User } from './user.js';

export const InvitationStatus = wireEnum('InvitationStatus', 'State of an invitation.', {
  pending: 'The person has not signed in yet.',
  accepted: 'The person has signed in with the invited email address.',
  revoked: 'The invitation was withdrawn before the first sign-in.',
  expired: 'The invitation expired before the first sign-in.',
});
export type InvitationStatus = keyof typeof InvitationStatus;

@PlainObjectType(
  'Invitation to join the workspace. A user accepts the invitation by signing in with the invited email address, which the identity provider must have verified.',
)
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Index({ properties: ['tenantId', 'email'] })
@Index({ properties: ['user'] })
@Listed({ filters: ['email', 'user', 'createdAt', 'expiresAt'], orders: ['email', 'createdAt', 'expiresAt'] })
export class Invitation extends TenantAudited {
  @TextColumn('Email address of the person, in lower case.')
  email: string;

  @DateTimeColumn('Time at which the invitation expires.')
  expiresAt: Date;

  @DateTimeColumn('Time of the first sign-in. Null if the person has not signed in.', { nullable: true })
  acceptedAt?: Date;

  @DateTimeColumn('Time of revocation. Null if not revoked.', { nullable: true })
  revokedAt?: Date;

  @Access('member')
  @Field(() => User, {
    description:
      'User that the invitation activates. The status of the user is PENDING until the invitation is accepted.',
  })
  @TenantRelation(() => User, 'user_id')
  user: Ref<User>;

  @Field(() => InvitationStatus, { description: 'State of the invitation.' })
  status: InvitationStatus;

  @Access('invitations:write')
  @Field(() => [Role], { description: 'Roles that the person gets.' })
  roles: Role[];
}
