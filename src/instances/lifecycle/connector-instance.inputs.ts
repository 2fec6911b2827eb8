import { ArgsType, Field } from 'type-graphql';
import { Limits, NAME_BOUNDS } from '../../kernel/entities/field-limits.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { Base62Id } from '../../kernel/ids.js';
import { OptionalPageArgs } from '../../kernel/reading/paging.js';

type Config = Record<string, unknown>;

@ArgsType()
export class InstancesForVendorArgs extends OptionalPageArgs {
  @Field(() => String, { description: 'URL-friendly name of the vendor.' })
  vendorSlug: string;
}

@ArgsType()
export class CreateConnectorInstanceArgs {
  @Field(() => Base62Id, { description: 'Id of the connector.' })
  connectorId: string;

  @Field(() => Base62Id, { description: 'Id of the grouping that offers it.' })
  groupingId: string;

  @Field(() => Base62Id, {
    nullable: true,
    description:
      "Id of one of the connector's strategies, or of its inbound ones where it is sent to; left out where it has none, or for later.",
  })
  authenticationStrategyId?: string | null;

  @Field(() => JsonObject, {
    nullable: true,
    description: "What the strategy's `configSchema` asks for; an unknown field is refused.",
  })
  authenticationConfig?: Config | null;

  @Field(() => JsonObject, {
    nullable: true,
    description: "What the strategy's `ingestionConfigSchema`, else the connector's, asks for.",
  })
  ingestionConfig?: Config | null;

  @Field(() => String, { nullable: true, description: 'Label for people.' })
  @Limits(NAME_BOUNDS)
  name?: string | null;
}

@ArgsType()
export class ConfigureConnectorInstanceArgs {
  @Field(() => Base62Id, { description: 'Id of the connection.' })
  instanceId: string;

  @Field(() => JsonObject, {
    description:
      "What the strategy's `configSchema` asks for. A secret that is left out or empty is kept, null clears it; the other fields are as they are sent.",
  })
  authenticationConfig: Config;

  @Field(() => Base62Id, {
    nullable: true,
    description: 'Another strategy of the connector, perhaps an inbound one; none of the secrets is kept then.',
  })
  authenticationStrategyId?: string | null;

  @Field(() => JsonObject, { nullable: true, description: 'The ingestion config anew; kept where left out.' })
  ingestionConfig?: Config | null;

  @Field(() => String, { nullable: true, description: 'Label for people; kept where left out.' })
  @Limits(NAME_BOUNDS)
  name?: string | null;

  @Field(() => Base62Id, {
    nullable: true,
    description: 'The credential record that the caller has seen: CONFLICT where another has taken its place.',
  })
  credentialMetadataId?: string | null;
}

/** What is left out stays. */
@ArgsType()
export class UpdateConnectorInstanceArgs {
  @Field(() => Base62Id, { description: 'Id of the connection.' })
  id: string;

  @Field(() => String, { nullable: true, description: 'Label for people; null removes it.' })
  @Limits(NAME_BOUNDS)
  name?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is in use.' })
  enabled?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether runners leave it out for the time being.' })
  schedulePaused?: boolean | null;
}
