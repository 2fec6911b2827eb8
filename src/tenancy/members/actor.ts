import { Field } from 'type-graphql';
import { PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { Base62Id } from '../../kernel/ids.js';
import { Access } from '../access.js';
import { ApiKey } from '../api-keys/api-key.js';
import { User } from '../user.js';

export const ActorKind = wireEnum('ActorKind', 'Kind of actor.', {
  user: 'A user of the workspace.',
  api_key: 'An API key of the workspace.',
  system: 'The service itself.',
});
export type ActorKind = keyof typeof ActorKind;

@PlainObjectType('Author of a change.')
export class Actor {
  @RequiredField('Id of the user or API key, or of the fixed system user.', () => Base62Id)
  id: string;

  @RequiredField('Kind of actor.', () => ActorKind)
  kind: ActorKind;

  @Field(() => String, {
    nullable: true,
    description: 'Display name: the name of a user, or `System`. Null for an API key.',
  })
  name?: string;

  @Access('member')
  @Field(() => User, { nullable: true, description: 'The user. Null if the actor is not a user.' })
  user?: User;

  @Access('api_keys:write')
  @Field(() => ApiKey, { nullable: true, description: 'The API key. Null if the actor is not an API key.' })
  apiKey?: ApiKey;
}
