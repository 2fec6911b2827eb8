import { Field, InputType, Int } from 'type-graphql';
import { Limits } from '../kernel/entities/field-limits.js';
import { DateTime } from '../kernel/entities/scalars.js';
import { Base62Id } from '../kernel/ids.js';
import { SyncErrorCode, SyncJobStatus } from './sync-job-status.js';

@InputType({ description: 'What a runner reports of a job.' })
export class SyncJobInput {
  @Field(() => Base62Id, { description: 'The connection that it reads.' })
  instanceId: string;

  @Field({ description: "The runner's own name of the run; a second report of the same name is about the same job." })
  @Limits({ minLength: 1, maxLength: 200 })
  externalId: string;

  @Field(() => SyncJobStatus, { description: 'How far it is.' })
  status: SyncJobStatus;

  @Field(() => DateTime, { nullable: true, description: 'When it began; now, where left out.' })
  startedAt?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When it ended; now, where left out.' })
  finishedAt?: Date | null;

  @Field(() => Int, { nullable: true, description: 'Records read from the source so far.' })
  @Limits({ minimum: 0 })
  recordsRead?: number | null;

  @Field(() => Int, { nullable: true, description: 'Records written to tables so far.' })
  @Limits({ minimum: 0 })
  recordsWritten?: number | null;

  @Field(() => Int, { nullable: true, description: 'Records that did not fit their schema so far.' })
  @Limits({ minimum: 0 })
  recordsRejected?: number | null;

  @Field(() => SyncErrorCode, { nullable: true, description: 'Whose fault a failure was.' })
  errorCode?: SyncErrorCode | null;

  @Field(() => String, { nullable: true, description: 'What went wrong; never a secret.' })
  @Limits({ maxLength: 2_000 })
  errorMessage?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether a quality gate failed after it.' })
  qualityDegraded?: boolean | null;
}
