import { Field, InputType } from 'type-graphql';
import { PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { Limits } from '../../kernel/entities/field-limits.js';
import { DateTime } from '../../kernel/entities/scalars.js';
import { ApiKey } from './api-key.js';

@InputType({ description: 'What an API key is to be.' })
export class ApiKeyInput {
  @Field({ description: 'What it is for.' })
  @Limits({ minLength: 1, maxLength: 100 })
  name: string;

  @Field(() => [String], { description: '`resource:action`, `resource:*` or `*`; no more than the caller has.' })
  @Limits({ minItems: 1, maxItems: 100, maxLength: 100 })
  permissions: string[];

  @Field(() => DateTime, { nullable: true, description: 'When it stops working; never where left out.' })
  expiresAt?: Date | null;
}

@PlainObjectType('A new API key.')
export class ApiKeyResult {
  @RequiredField('The key, to be sent as bearer. It is shown this once and cannot be had again.')
  key: string;

  @RequiredField('What is kept of it.', () => ApiKey)
  apiKey: ApiKey;
}
