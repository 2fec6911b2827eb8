import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';

@PlainObjectType('A feed of events or deletions from this tap into the table of a different tap.')
export class TapFeed {
  @RequiredField(
    'Name of the tap whose table receives the records: a tap of the same connector, or of a different connector of the vendor. For a different connector, the workspace selects the tap with `feedsTapId`.',
  )
  tap: string;

  @OptionalField('Event field that contains the record. Defaults to the whole event.')
  recordPath?: string;

  @OptionalField(
    "Event field that contains the key of the record. Without this setting, the service reads the fields of the fed tap's primary key from the record.",
  )
  keyField?: string;

  @OptionalField('Whether each event is a deletion, as in a list of deleted ids. Defaults to `false`.')
  deletions?: boolean;
}
