import { ArgsType, Field } from 'type-graphql';
import { Limits } from '../../kernel/entities/field-limits.js';
import { Base62Id } from '../../kernel/ids.js';

@ArgsType()
export class InvitationArgs {
  @Field({ description: 'Email address of the person.' })
  @Limits({
    ...{ maxLength: 254, pattern: '^[^\\s@\\x00-\\x1f]+@[^\\s@.]+(\\.[^\\s@.]+)+$' },
    says: 'must be an email address such as ada@example.com',
  })
  email: string;

  @Field(() => [Base62Id], { description: 'Ids of the roles that the person gets, at least one.' })
  @Limits({ minItems: 1, maxItems: 100 })
  roleIds: string[];
}
