import { Field, Float, InputType } from 'type-graphql';
import { SpcSeriesKind } from '../../catalog/model/tap-quality-config.js';
import { Limits, NOT_BLANK } from '../../kernel/entities/field-limits.js';
import { DateTime, SafeInt } from '../../kernel/entities/scalars.js';
import { Base62Id } from '../../kernel/ids.js';
import { CheckStatus, Comparator, QualityGate } from '../contracts/quality-check.js';

/** Maximum number of values of a run, and maximum number of its checks. */
const MAX_ITEMS = 200;

@InputType({ description: 'A measured value: a point of a series.' })
export class RunValueInput {
  @Field(() => SpcSeriesKind, { description: 'Kind of metric.' })
  kind: SpcSeriesKind;

  @Field(() => String, {
    nullable: true,
    description: 'Measured column. Required for the kinds `COLUMN_...`, and null for other kinds.',
  })
  @Limits({ maxLength: 256 })
  column?: string | null;

  @Field(() => Float, { description: 'Measured value.' })
  value: number;

  @Field(() => SafeInt, {
    nullable: true,
    description:
      'Number of rows from which a share was computed. The limits of the chart depend on this number. Allowed only for `COLUMN_NULL_RATE`, with a `value` from 0 to 1.',
  })
  @Limits({ minimum: 1 })
  sampleSize?: number | null;
}

@InputType({
  description:
    'Evidence for the status of a check. The service truncates strings and lists that exceed the limits of the fields.',
})
export class RunEvidenceInput {
  @Field(() => String, {
    nullable: true,
    description: 'Explanation in a sentence. The service stores the first 500 characters.',
  })
  @Limits({})
  message?: string | null;

  @Field(() => Float, { nullable: true, description: 'Observed value minus the observed value of the previous run.' })
  runOverRunDelta?: number | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Keys of failing rows. The service stores the first 10 keys, and the first 256 characters of each key. If a key column is sensitive, the service stores no keys.',
  })
  @Limits({})
  sampleKeys?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Failing values. The service stores the first 5 values, and the first 64 characters of each value.',
  })
  @Limits({})
  topViolatingValues?: string[] | null;
}

@InputType({ description: 'Result of a check by an external job.' })
export class RunCheckInput {
  @Field({ description: 'Name of the check, chosen by the external job.' })
  @Limits({ minLength: 1, maxLength: 100, ...NOT_BLANK })
  id: string;

  @Field({ description: 'Condition under which the check passes, in a sentence.' })
  @Limits({ minLength: 1, maxLength: 500 })
  description: string;

  @Field(() => QualityGate, {
    description:
      'Gate of the check. The gate determines the effect of a failure. A failed check of GATE_3 has the status WARN.',
  })
  gate: QualityGate;

  @Field(() => String, {
    nullable: true,
    description:
      'Checked column. If the column is sensitive, the service stores only `runOverRunDelta` of the evidence. If the column is omitted and the table has sensitive columns, the service stores no `sampleKeys` and no `topViolatingValues`.',
  })
  @Limits({ maxLength: 256 })
  column?: string | null;

  @Field(() => Comparator, { nullable: true, description: 'Comparison of `observed` with `threshold`.' })
  comparator?: Comparator | null;

  @Field(() => Float, { nullable: true, description: 'Observed value.' })
  observed?: number | null;

  @Field(() => Float, { nullable: true, description: 'Value that `observed` is compared with.' })
  threshold?: number | null;

  @Field(() => CheckStatus, {
    nullable: true,
    description:
      'Outcome. Required if `comparator`, `observed` or `threshold` is missing. If all three are set, the outcome must match them.',
  })
  status?: CheckStatus | null;

  @Field(() => RunEvidenceInput, { nullable: true, description: 'Evidence for the status.' })
  evidence?: RunEvidenceInput | null;
}

@InputType({ description: 'Report of an external job about a table.' })
export class TableRunInput {
  @Field(() => Base62Id, { description: 'Id of the table.' })
  tableId: string;

  @Field({
    description: 'Id that the external job gave to the run. A second report with the same id replaces the first.',
  })
  @Limits({ minLength: 1, maxLength: 200, ...NOT_BLANK })
  runId: string;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'Time of the measurement, 2000-01-01 or later and at most 1 minute in the future. Defaults to the current time. The service stores a future time as the current time.',
  })
  capturedAt?: Date | null;

  @Field(() => [RunValueInput], {
    description:
      'Measured values. At most 200, or 6,000 / `windowSize` if the `windowSize` of the contract is above 30.',
    defaultValue: [],
  })
  @Limits({ maxItems: MAX_ITEMS })
  values: RunValueInput[];

  @Field(() => [RunCheckInput], { description: 'Checks, at most 200.', defaultValue: [] })
  @Limits({ maxItems: MAX_ITEMS })
  checks: RunCheckInput[];
}
