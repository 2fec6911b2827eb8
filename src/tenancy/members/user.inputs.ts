import { Field, InputType } from 'type-graphql';
import { Limits } from '../../kernel/entities/field-limits.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { Base62Id } from '../../kernel/ids.js';

export const UserStatusChange = wireEnum('UserStatusChange', 'Status to set for a user who has signed in.', {
  ACTIVE: 'The user is a member.',
  SUSPENDED: 'The user has no access for now.',
  DEACTIVATED: 'The user is no longer a member.',
});
export type UserStatusChange = keyof typeof UserStatusChange;

@InputType({ description: 'Changes to a user. Omitted fields keep their value.' })
export class UserInput {
  @Field(() => UserStatusChange, {
    nullable: true,
    description: 'New status. The user must have signed in at least once.',
  })
  status?: UserStatusChange;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether access requires a token with `mfa` in its `amr` claim (RFC 8176).',
  })
  requireStrongAuth?: boolean;

  @Field(() => [Base62Id], { nullable: true, description: 'Ids of all roles of the user. Replaces the current roles.' })
  @Limits({ maxItems: 100 })
  roleIds?: string[];

  @Field(() => String, {
    nullable: true,
    description: 'Language tag such as `en-GB` (BCP 47). Null clears it.',
  })
  @Limits({ maxLength: 64 })
  locale?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'IANA time zone such as `Europe/Berlin`. Null clears it.',
  })
  @Limits({ maxLength: 64 })
  timezone?: string | null;
}
