import { ArgsType, Field } from 'type-graphql';
import { Limits, NAME_BOUNDS } from '../../kernel/entities/field-limits.js';
import { Base62Id } from '../../kernel/ids.js';
import { ConnectorRequestStatus } from './connector-request-status.js';

/** Maximum total length of the notes of a request, in characters. */
export const MAX_NOTES_LENGTH = 4_000;

@ArgsType()
export class ConnectorRequestArgs {
  @Field({ description: 'Name of the requested connector.' })
  @Limits(NAME_BOUNDS)
  connectorName: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Purpose of the connector. If an open request has the same name, the service appends these notes to the notes of that request, up to 4,000 characters in total.',
  })
  @Limits({ maxLength: MAX_NOTES_LENGTH })
  notes?: string | null;
}

@ArgsType()
export class ConnectorRequestMoveArgs {
  @Field(() => Base62Id, { description: 'Id of the request.' })
  id: string;

  @Field(() => ConnectorRequestStatus, { description: 'New status.' })
  status: ConnectorRequestStatus;

  @Field(() => String, { nullable: true, description: 'Explanation for the requesters.' })
  @Limits({ maxLength: 4_000 })
  note?: string | null;

  @Field(() => Base62Id, {
    nullable: true,
    description:
      'Id of the connector that fulfils the request. Required for the status `completed`. Not allowed for other statuses.',
  })
  resultConnectorId?: string | null;

  @Field(() => Base62Id, {
    nullable: true,
    description:
      'Id of the grouping that offers the connector. Allowed only for the status `completed`. Defaults to the first grouping of the connector.',
  })
  resolvedGroupingId?: string | null;
}
