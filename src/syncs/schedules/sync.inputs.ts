import { ArgsType, Field, InputType } from 'type-graphql';
import { OBJECT_NAME_BOUNDS } from '../../catalog/model/object-tap.js';
import { Limits } from '../../kernel/entities/field-limits.js';
import { DateTime } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { Base62Id } from '../../kernel/ids.js';

export const SyncMode = wireEnum('SyncMode', 'Which records a sync reads.', {
  incremental:
    'From incremental taps, reads the records that are new or changed since the last sync. From other taps, reads all records.',
  resync: 'Reads all records of all taps, including incremental taps. Discards the saved cursors of the taps.',
});
export type SyncMode = keyof typeof SyncMode;

@InputType({ description: 'A time range of records.' })
export class SyncRangeInput {
  @Field(() => DateTime, {
    description:
      'Start of the range. The service compares the value of the cursor field of each record with the range.',
  })
  from: Date;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'End of the range, after its start. Defaults to the current time. The end may be in the future if the sync includes a tap that reads records with future dates. For all other taps, the service replaces an end in the future with the current time.',
  })
  until?: Date | null;
}

@ArgsType()
export class StartSyncArgs {
  @Field(() => Base62Id, { description: 'Id of the connection.' })
  instanceId: string;

  @Field(() => [Base62Id], {
    nullable: true,
    description:
      'Taps to read. Each tap must belong to the connection. Defaults to all enabled taps that the service can read.',
  })
  @Limits({ minItems: 1, maxItems: 200 })
  tapIds?: string[] | null;

  @Field(() => SyncMode, {
    nullable: true,
    description: 'Which records the sync reads. Defaults to `incremental`.',
  })
  mode?: SyncMode | null;

  @Field(() => SyncRangeInput, {
    nullable: true,
    description:
      'Time range that the sync reads again from incremental taps. The next sync continues where the last sync without a range ended.',
  })
  range?: SyncRangeInput | null;
}

@ArgsType()
export class TryTapArgs {
  @Field(() => Base62Id, { description: 'Id of the connection.' })
  instanceId: string;

  @Field(() => String, { description: 'Name of a tap of the connector.' })
  @Limits({ minLength: 1, maxLength: 200 })
  tap: string;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the object at the source, for a tap that the service reads once per object.',
  })
  @Limits(OBJECT_NAME_BOUNDS)
  objectName?: string | null;
}
