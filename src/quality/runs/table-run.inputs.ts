import { Field, Float, InputType } from 'type-graphql';
import { SpcSeriesKind } from '../../catalog/model/tap-quality-config.js';
import { Limits, NOT_BLANK } from '../../kernel/entities/field-limits.js';
import { DateTime } from '../../kernel/entities/scalars.js';
import { Base62Id } from '../../kernel/ids.js';
import { CheckStatus, Comparator, QualityGate } from '../contracts/quality-check.js';

/** Of each list of a run. */
const MAX_ITEMS = 200;

@InputType({ description: 'A point of a series.' })
export class RunValueInput {
  @Field(() => SpcSeriesKind, { description: 'What was measured.' })
  kind: SpcSeriesKind;

  @Field(() => String, { nullable: true, description: 'Column that it is about, of the kinds `COLUMN_...`.' })
  @Limits({ maxLength: 256 })
  column?: string | null;

  @Field(() => Float, { description: 'What it came to.' })
  value: number;
}

@InputType({ description: 'What speaks for the status of a check. What is too much is cut.' })
export class RunEvidenceInput {
  @Field(() => String, { nullable: true, description: 'In a sentence, 500 characters of it.' })
  @Limits({})
  message?: string | null;

  @Field(() => Float, { nullable: true, description: 'What was observed, less that of the run before.' })
  runOverRunDelta?: number | null;

  @Field(() => [String], { nullable: true, description: 'Keys of rows that fail: 10, of 256 characters each.' })
  @Limits({})
  sampleKeys?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Values that fail: 5, of 64 characters each.' })
  @Limits({})
  topViolatingValues?: string[] | null;
}

@InputType({ description: 'A check that a job has made.' })
export class RunCheckInput {
  @Field({ description: 'The check, by a name of the job.' })
  @Limits({ minLength: 1, maxLength: 100, ...NOT_BLANK })
  id: string;

  @Field({ description: 'What passes, in a sentence.' })
  @Limits({ minLength: 1, maxLength: 500 })
  description: string;

  @Field(() => QualityGate, { description: 'What follows where it fails; of GATE_3 it is WARN then.' })
  gate: QualityGate;

  @Field(() => String, {
    nullable: true,
    description:
      'Column that it is about. Where it is sensitive, or left out and any column is, the evidence shows no values.',
  })
  @Limits({ maxLength: 256 })
  column?: string | null;

  @Field(() => Comparator, { nullable: true, description: 'How observed and threshold are compared.' })
  comparator?: Comparator | null;

  @Field(() => Float, { nullable: true, description: 'What was observed.' })
  observed?: number | null;

  @Field(() => Float, { nullable: true, description: 'What it is compared with.' })
  threshold?: number | null;

  @Field(() => CheckStatus, {
    nullable: true,
    description: 'What came of it; may be left out where comparator, observed and threshold are all given.',
  })
  status?: CheckStatus | null;

  @Field(() => RunEvidenceInput, { nullable: true, description: 'What speaks for it.' })
  evidence?: RunEvidenceInput | null;
}

@InputType({ description: 'What a job outside of the service has made of a table.' })
export class TableRunInput {
  @Field(() => Base62Id, { description: 'Id of the table.' })
  tableId: string;

  @Field({ description: "The job's own name of the run; a second report of the same name replaces the first." })
  @Limits({ minLength: 1, maxLength: 200, ...NOT_BLANK })
  runId: string;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the rows were looked at, since 2000; now, where left out, and where it lies ahead.',
  })
  capturedAt?: Date | null;

  @Field(() => [RunValueInput], {
    description: 'Points of series: 200 at the most, and 6,000 by the `windowSize` of the contract.',
    defaultValue: [],
  })
  @Limits({ maxItems: MAX_ITEMS })
  values: RunValueInput[];

  @Field(() => [RunCheckInput], { description: 'Checks, 200 at the most.', defaultValue: [] })
  @Limits({ maxItems: MAX_ITEMS })
  checks: RunCheckInput[];
}
