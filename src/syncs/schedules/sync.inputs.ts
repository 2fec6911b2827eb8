import { ArgsType, Field } from 'type-graphql';
import { Limits } from '../../kernel/entities/field-limits.js';
import { Base62Id } from '../../kernel/ids.js';

@ArgsType()
export class StartSyncArgs {
  @Field(() => Base62Id, { description: 'Id of the connection.' })
  instanceId: string;

  @Field(() => [Base62Id], {
    nullable: true,
    description: 'Taps of the connection to read. Defaults to all enabled taps that the service can read.',
  })
  @Limits({ minItems: 1, maxItems: 200 })
  tapIds?: string[] | null;
}

@ArgsType()
export class TryTapArgs {
  @Field(() => Base62Id, { description: 'Id of the connection.' })
  instanceId: string;

  @Field(() => String, { description: 'Name of a tap of the connector.' })
  @Limits({ minLength: 1, maxLength: 200 })
  tap: string;
}
