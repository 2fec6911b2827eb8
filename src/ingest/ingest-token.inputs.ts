import { ArgsType, Field } from 'type-graphql';
import { PlainObjectType, RequiredField } from '../kernel/entities/column-decorators.js';
import { DateTime } from '../kernel/entities/scalars.js';
import { Base62Id } from '../kernel/ids.js';
import { PageArgs } from '../kernel/reading/paging.js';
import { IngestToken } from './ingest-token.js';

@ArgsType()
export class IngestTokensArgs extends PageArgs {
  @Field(() => Base62Id, { description: 'Id of the tap.' })
  tenantConnectorTapId: string;
}

@ArgsType()
export class MintIngestTokenArgs {
  @Field(() => Base62Id, { description: 'Id of the tap that receives the records.' })
  tenantConnectorTapId: string;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Expiry, at most 10 years ahead. If omitted or null, the token does not expire.',
  })
  expiresAt?: Date | null;
}

@PlainObjectType('A new ingest token.')
export class IngestTokenResult {
  @RequiredField('The token in plain text. The service returns it only in this response.')
  token: string;

  @RequiredField('URL to push records to. It contains the token.')
  endpointUrl: string;

  @RequiredField('Stored attributes of the token, without its plain text.', () => IngestToken)
  ingestToken: IngestToken;
}
