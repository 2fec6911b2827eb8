import { Field, InputType } from 'type-graphql';
import { Limits } from '../../kernel/entities/field-limits.js';
import { Base62Id } from '../../kernel/ids.js';

@InputType({ description: 'What a role is to be.' })
export class RoleInput {
  @Field({ description: 'Unique in the workspace.' })
  @Limits({ minLength: 1, maxLength: 100 })
  name: string;

  @Field(() => String, { nullable: true, description: 'What it is for.' })
  @Limits({ maxLength: 1_000 })
  description?: string | null;

  @Field(() => [String], { description: '`resource:action`, `resource:*` or `*`; no more than the caller has.' })
  @Limits({ maxItems: 100, maxLength: 100 })
  permissions: string[];

  @Field(() => Base62Id, { nullable: true, description: 'Role whose permissions this one has too.' })
  parentRoleId?: string | null;
}
