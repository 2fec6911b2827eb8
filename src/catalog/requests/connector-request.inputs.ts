import { ArgsType, Field } from 'type-graphql';
import { Limits, NAME_BOUNDS } from '../../kernel/entities/field-limits.js';
import { Base62Id } from '../../kernel/ids.js';
import { ConnectorRequestStatus } from './connector-request-status.js';

/** Characters, of all notes of a request together. */
export const MAX_NOTES_LENGTH = 4_000;

@ArgsType()
export class ConnectorRequestArgs {
  @Field({ description: 'What is missed.' })
  @Limits(NAME_BOUNDS)
  connectorName: string;

  @Field(() => String, {
    nullable: true,
    description:
      'What it is needed for. Added to the notes of an open request of the same name, up to 4,000 characters together.',
  })
  @Limits({ maxLength: MAX_NOTES_LENGTH })
  notes?: string | null;
}

@ArgsType()
export class ConnectorRequestMoveArgs {
  @Field(() => Base62Id, { description: 'Id of the request.' })
  id: string;

  @Field(() => ConnectorRequestStatus, { description: 'Where to.' })
  status: ConnectorRequestStatus;

  @Field(() => String, { nullable: true, description: 'Why, for those who asked.' })
  @Limits({ maxLength: 4_000 })
  note?: string | null;

  @Field(() => Base62Id, {
    nullable: true,
    description: 'The connector that came of it; needed for `completed` alone.',
  })
  resultConnectorId?: string | null;

  @Field(() => Base62Id, {
    nullable: true,
    description: 'The grouping that offers the connector; the first one of the connector where left out.',
  })
  resolvedGroupingId?: string | null;
}
