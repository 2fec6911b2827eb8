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

  @Field(() => Base62Id, { description: 'Id of the grouping that offers the connector.' })
  groupingId: string;

  @Field(() => Base62Id, {
    nullable: true,
    description:
      'Id of an authentication strategy of the connector or, for an inbound connection, of an inbound strategy. Omit the id if the connector has no strategy, or to choose an inbound strategy later.',
  })
  authenticationStrategyId?: string | null;

  @Field(() => JsonObject, {
    nullable: true,
    description: "Config according to the strategy's `configSchema`. The service rejects unknown fields.",
  })
  authenticationConfig?: Config | null;

  @Field(() => JsonObject, {
    nullable: true,
    description:
      'Config according to the `ingestionConfigSchema` of the strategy or, if the strategy has none, of the connector.',
  })
  ingestionConfig?: Config | null;

  @Field(() => String, { nullable: true, description: 'Display name.' })
  @Limits(NAME_BOUNDS)
  name?: string | null;
}

@ArgsType()
export class ConfigureConnectorInstanceArgs {
  @Field(() => Base62Id, { description: 'Id of the connection.' })
  instanceId: string;

  @Field(() => JsonObject, {
    description:
      "Config according to the strategy's `configSchema`. Replaces the current config. However, an omitted or empty secret keeps its value, and null clears a secret.",
  })
  authenticationConfig: Config;

  @Field(() => Base62Id, {
    nullable: true,
    description:
      'Id of the strategy or inbound strategy. Defaults to the current strategy. If the strategy changes, the service discards all stored secrets.',
  })
  authenticationStrategyId?: string | null;

  @Field(() => JsonObject, {
    nullable: true,
    description: 'New ingestion config. If omitted or null, the current config remains.',
  })
  ingestionConfig?: Config | null;

  @Field(() => String, {
    nullable: true,
    description: 'New display name. If omitted or null, the current name remains.',
  })
  @Limits(NAME_BOUNDS)
  name?: string | null;

  @Field(() => Base62Id, {
    nullable: true,
    description:
      'Id of the credential record that the caller last read. The request fails with CONFLICT if another record has replaced this record.',
  })
  credentialMetadataId?: string | null;
}

/** Omitted fields keep their value. */
@ArgsType()
export class UpdateConnectorInstanceArgs {
  @Field(() => Base62Id, { description: 'Id of the connection.' })
  id: string;

  @Field(() => String, { nullable: true, description: 'Display name. Null removes it.' })
  @Limits(NAME_BOUNDS)
  name?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the connection is enabled. The service does not sync a disabled connection, and rejects records that senders push to it.',
  })
  enabled?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether scheduled syncs are paused. An external runner should not read a paused connection.',
  })
  schedulePaused?: boolean | null;
}
