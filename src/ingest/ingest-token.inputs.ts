import { ArgsType, Field } from 'type-graphql';
import { Required, Shape } from '../kernel/columns.js';
import { Base62Id } from '../kernel/ids.js';
import { PageArgs } from '../kernel/paging.js';
import { DateTime } from '../kernel/scalars.js';
import { IngestToken } from './ingest-token.js';

@ArgsType()
export class IngestTokensArgs extends PageArgs {
  @Field(() => Base62Id, { description: 'Id of the tap that they are for.' })
  tenantConnectorTapId: string;
}

@ArgsType()
export class MintIngestTokenArgs {
  @Field(() => Base62Id, { description: 'Id of the tap that records are to be pushed to.' })
  tenantConnectorTapId: string;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it ends, within 10 years; left out or null, it does not by itself.',
  })
  expiresAt?: Date | null;
}

@Shape('A new ingest token.')
export class IngestTokenResult {
  @Required('The token. It is shown this once and cannot be had again.')
  token: string;

  @Required('Where records are pushed to; the token stands in it.')
  endpointUrl: string;

  @Required('What is kept of it.', () => IngestToken)
  ingestToken: IngestToken;
}
