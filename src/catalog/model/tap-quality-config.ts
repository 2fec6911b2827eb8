import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const SpcSeriesKind = wireEnum('SpcSeriesKind', 'What a control chart follows from run to run.', {
  TABLE_ROW_COUNT: 'Rows in the table.',
  TABLE_BYTES: 'Bytes of the table.',
  TABLE_FRESHNESS_SECONDS: 'Seconds since the newest record.',
  COLUMN_NULL_RATE: 'Share of nulls in a column, 0 to 1.',
  COLUMN_DISTINCT_COUNT: 'Distinct values in a column.',
  COLUMN_MEAN: 'Mean of a column.',
});
export type SpcSeriesKind = keyof typeof SpcSeriesKind;

@PlainObjectType('One check on the rows of a tap.')
export class QualityRule {
  @RequiredField('Check that is made, such as null_rate.')
  type: string;

  @OptionalField('Highest share of rows that may fail, 0 to 1.')
  maxRate?: number;
}

@PlainObjectType('Statistical process control of a tap.')
export class SpcConfig {
  @OptionalField('Points that must exist before a violation is reported.', () => Int)
  minHistoryForViolation?: number;

  @OptionalField('Series that are followed.', () => [SpcSeriesKind])
  trackedSeries?: SpcSeriesKind[];

  @OptionalField('Points that the limits are computed from.', () => Int)
  windowSize?: number;
}

@PlainObjectType('What is watched about the rows of a tap.')
export class TapQualityConfig {
  @OptionalField('Checks on every run.', () => [QualityRule])
  rules?: QualityRule[];

  @OptionalField('Control charts over runs.', () => SpcConfig)
  spc?: SpcConfig;
}
