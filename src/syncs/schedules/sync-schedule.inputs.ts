import { ArgsType, Field, Int } from 'type-graphql';
import { Limits } from '../../kernel/entities/field-limits.js';
import { Base62Id } from '../../kernel/ids.js';
import { SyncScheduleKind } from '../sync-schedule.js';

const TIME_OF_DAY = '^([01]\\d|2[0-3]):[0-5]\\d$';

@ArgsType()
export class SetSyncScheduleArgs {
  @Field(() => Base62Id, { description: 'Id of the connection.' })
  instanceId: string;

  @Field(() => SyncScheduleKind, { description: 'What starts the syncs.' })
  kind: SyncScheduleKind;

  @Field(() => Int, {
    nullable: true,
    description: 'Minutes between two syncs, 5 to 43,200, for kind `interval`. Defaults to 360.',
  })
  @Limits({ minimum: 5, maximum: 43_200 })
  intervalMinutes?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Cron expression: minute, hour, day of month, month and day of week. Required for kind `cron`, and not allowed for other kinds. Its times must be at least 5 minutes apart. A sync starts within a minute after each time.',
  })
  @Limits({ maxLength: 100 })
  cron?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of an IANA time zone. Defaults to UTC.' })
  @Limits({ maxLength: 64 })
  timezone?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Start of the daily quiet hours, as `HH:MM`. Requires `quietUntil`. A sync that becomes due in the quiet hours starts when the quiet hours end.',
  })
  @Limits({ pattern: TIME_OF_DAY })
  quietFrom?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'End of the daily quiet hours, as `HH:MM`. Requires `quietFrom`. If the end is before the start, the quiet hours end on the next day.',
  })
  @Limits({ pattern: TIME_OF_DAY })
  quietUntil?: string | null;
}
