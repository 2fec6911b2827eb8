import { Int } from 'type-graphql';
import { SyncErrorClass } from '../catalog/model/sync-error-class.js';
import { OptionalField, PlainObjectType, RequiredField } from '../kernel/entities/column-decorators.js';
import { DateTime, SafeInt } from '../kernel/entities/scalars.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import { TapRequestTrace } from './tap-request-trace.js';

export const TapRunStepOutcome = wireEnum('TapRunStepOutcome', 'How a step of a tap run ended.', {
  continued: 'The step stored its rows. Another step continues.',
  completed: 'The step stored its rows. All records were read.',
  waiting:
    'The step stored the rows that it had read before it had to wait for the vendor or for a rate limit. Another step continues after the wait.',
  retried: 'The step stored nothing. A worker reads the same pages again.',
  failed: 'The step stored nothing. The run failed, or the service skipped the tap.',
  cancelled: 'The step stored nothing. The run was cancelled, or ended before the step could commit.',
});
export type TapRunStepOutcome = keyof typeof TapRunStepOutcome;

export const MAX_TIMELINE_STEPS = 50;
export const MAX_TIMELINE_REQUESTS = 50;

@PlainObjectType('A step of a tap run: one worker reads pages for about 15 seconds and commits their records.')
export class TapRunStep {
  @RequiredField('When the step started.', () => DateTime)
  startedAt: Date;

  @RequiredField('When the step ended.', () => DateTime)
  endedAt: Date;

  @RequiredField('How the step ended.', () => TapRunStepOutcome)
  outcome: TapRunStepOutcome;

  @RequiredField('Number of records that the step read.', () => SafeInt)
  recordsRead: number;

  @RequiredField('Number of rows that the step stored.', () => SafeInt)
  recordsWritten: number;

  @RequiredField('Number of records that the step rejected.', () => SafeInt)
  recordsRejected: number;

  @RequiredField('Size of the response bodies, in bytes.', () => SafeInt)
  bytesRead: number;

  @RequiredField('Number of requests, including failed ones.', () => Int)
  requests: number;

  @RequiredField('Number of slices that the step completed or skipped.', () => Int)
  slicesDone: number;

  @OptionalField(
    'Earliest time of the next step, if this step ended with a wait for the vendor or for a rate limit. Otherwise null.',
    () => DateTime,
  )
  waitUntil?: Date;

  @OptionalField(
    'Cause of the failure or of the wait. Null if the step neither failed nor waited.',
    () => SyncErrorClass,
  )
  errorClass?: SyncErrorClass;

  @OptionalField('Description of the failure or of the wait. Null if the step neither failed nor waited.')
  errorMessage?: string;
}

@PlainObjectType('The latest steps and requests of a tap run.')
export class TapRunTimeline {
  @RequiredField(`The latest ${MAX_TIMELINE_STEPS} steps that have ended, oldest first.`, () => [TapRunStep])
  steps: TapRunStep[];

  @RequiredField(`The latest ${MAX_TIMELINE_REQUESTS} requests of steps that have ended, oldest first.`, () => [
    TapRequestTrace,
  ])
  requests: TapRequestTrace[];
}
