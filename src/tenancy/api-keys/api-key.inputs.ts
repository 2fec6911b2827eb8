import { Field, InputType } from 'type-graphql';
import { PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { Limits } from '../../kernel/entities/field-limits.js';
import { DateTime } from '../../kernel/entities/scalars.js';
import { ApiKey } from './api-key.js';

@InputType({ description: 'Values of a new API key.' })
export class ApiKeyInput {
  @Field({ description: 'Purpose of the key.' })
  @Limits({ minLength: 1, maxLength: 100 })
  name: string;

  @Field(() => [String], {
    description: 'Permissions of the key: `resource:action`, `resource:*` or `*`. The caller must have all of them.',
  })
  @Limits({ minItems: 1, maxItems: 100, maxLength: 100 })
  permissions: string[];

  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which the key expires. If omitted or null, the key does not expire.',
  })
  expiresAt?: Date | null;
}

@PlainObjectType('A new API key.')
export class ApiKeyResult {
  @RequiredField('The key, which a program sends as bearer token. The service returns the key only in this response.')
  key: string;

  @RequiredField('The stored record of the key.', () => ApiKey)
  apiKey: ApiKey;
}
