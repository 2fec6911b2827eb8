import { Field, InputType } from 'type-graphql';
import { Limits } from '../../kernel/entities/field-limits.js';
import { Base62Id } from '../../kernel/ids.js';

@InputType({ description: 'Values of a role.' })
export class RoleInput {
  @Field({ description: 'Name, unique in the workspace.' })
  @Limits({ minLength: 1, maxLength: 100 })
  name: string;

  @Field(() => String, { nullable: true, description: 'Purpose of the role.' })
  @Limits({ maxLength: 1_000 })
  description?: string | null;

  @Field(() => [String], {
    description: 'Permissions of the role: `resource:action`, `resource:*` or `*`. The caller must have all of them.',
  })
  @Limits({ maxItems: 100, maxLength: 100 })
  permissions: string[];

  @Field(() => Base62Id, {
    nullable: true,
    description: 'Id of the parent role, whose permissions this role inherits.',
  })
  parentRoleId?: string | null;
}
