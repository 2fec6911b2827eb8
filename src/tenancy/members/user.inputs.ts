import { Field, InputType } from 'type-graphql';
import { Limits } from '../../kernel/entities/field-limits.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { Base62Id } from '../../kernel/ids.js';

export const UserStatusChange = wireEnum('UserStatusChange', 'Where somebody who has signed in may be put.', {
  ACTIVE: 'A member.',
  SUSPENDED: 'Locked out for a time.',
  DEACTIVATED: 'No longer a member.',
});
export type UserStatusChange = keyof typeof UserStatusChange;

@InputType({ description: 'What is to change of a user; what is left out stays.' })
export class UserInput {
  @Field(() => UserStatusChange, { nullable: true, description: 'Not for somebody who has not signed in yet.' })
  status?: UserStatusChange;

  @Field(() => Boolean, { nullable: true, description: 'Let in only with a second factor.' })
  requireStrongAuth?: boolean;

  @Field(() => [Base62Id], { nullable: true, description: 'The roles from now on.' })
  @Limits({ maxItems: 100 })
  roleIds?: string[];

  @Field(() => String, {
    nullable: true,
    description: 'Language, a tag such as `en-GB` (BCP 47); null where there is to be none.',
  })
  @Limits({ maxLength: 64 })
  locale?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Time zone, a name such as `Europe/Berlin` (IANA); null where there is to be none.',
  })
  @Limits({ maxLength: 64 })
  timezone?: string | null;
}
