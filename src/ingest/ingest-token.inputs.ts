import { ArgsType, Field } from 'type-graphql';
import { PlainObjectType, RequiredField } from '../kernel/entities/column-decorators.js';
import { DateTime } from '../kernel/entities/scalars.js';
import { Base62Id } from '../kernel/ids.js';
import { PageArgs } from '../kernel/reading/paging.js';
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

@PlainObjectType('A new ingest token.')
export class IngestTokenResult {
  @RequiredField('The token. It is shown this once and cannot be had again.')
  token: string;

  @RequiredField('Where records are pushed to; the token stands in it.')
  endpointUrl: string;

  @RequiredField('What is kept of it.', () => IngestToken)
  ingestToken: IngestToken;
}
