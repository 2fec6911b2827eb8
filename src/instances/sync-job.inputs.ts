import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { Limits } from '../kernel/entities/field-limits.js';
import { DateTime } from '../kernel/entities/scalars.js';
import { Base62Id } from '../kernel/ids.js';
import { PageArgs } from '../kernel/reading/paging.js';
import { SyncErrorCode, SyncJobStatus } from './sync-job-status.js';

@ArgsType()
export class SyncJobsArgs extends PageArgs {
  @Field(() => Base62Id, { nullable: true, description: 'Id of the connection whose syncs are returned.' })
  instanceId?: string | null;

  @Field(() => SyncJobStatus, { nullable: true, description: 'Returns only syncs with this status.' })
  status?: SyncJobStatus | null;

  @Field(() => DateTime, { nullable: true, description: 'Returns only syncs that were created at this time or later.' })
  createdFrom?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Returns only syncs that were created before this time.' })
  createdUntil?: Date | null;
}

@InputType({ description: 'Report of a runner about a sync job.' })
export class SyncJobInput {
  @Field(() => Base62Id, { description: 'Id of the connection.' })
  instanceId: string;

  @Field({ description: 'Id that the runner gave to the job. Reports with the same id update the same job.' })
  @Limits({ minLength: 1, maxLength: 200 })
  externalId: string;

  @Field(() => SyncJobStatus, { description: 'Status of the job.' })
  status: SyncJobStatus;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the job started. Defaults to the current time or, for a final status, to `finishedAt`. The service stores the value of the first report whose status is `running` or final, and ignores the value in later reports.',
  })
  startedAt?: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which the job ended, for reports with a final `status`. Defaults to the current time.',
  })
  finishedAt?: Date | null;

  @Field(() => Int, { nullable: true, description: 'Number of records read from the source so far.' })
  @Limits({ minimum: 0 })
  recordsRead?: number | null;

  @Field(() => Int, { nullable: true, description: 'Number of records written to tables so far.' })
  @Limits({ minimum: 0 })
  recordsWritten?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of records rejected so far.',
  })
  @Limits({ minimum: 0 })
  recordsRejected?: number | null;

  @Field(() => SyncErrorCode, { nullable: true, description: 'Party that caused the failure.' })
  errorCode?: SyncErrorCode | null;

  @Field(() => String, { nullable: true, description: 'Description of the failure. Must not contain secrets.' })
  @Limits({ maxLength: 2_000 })
  errorMessage?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether a quality check of the runner failed for the job.' })
  qualityDegraded?: boolean | null;
}
