import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const SpcSeriesKind = wireEnum(
  'SpcSeriesKind',
  'Metric of a control chart, for the rows to which the contract applies. The service stores one point per run.',
  {
    TABLE_ROW_COUNT: 'Number of rows.',
    TABLE_BYTES: 'Size of the files with the rows, in bytes.',
    TABLE_FRESHNESS_SECONDS: 'Seconds since the newest record.',
    COLUMN_NULL_RATE: 'Share of nulls in a column, 0 to 1.',
    COLUMN_DISTINCT_COUNT: 'Approximate number of distinct values in a column.',
    COLUMN_MEAN: 'Mean of a column.',
  },
);
export type SpcSeriesKind = keyof typeof SpcSeriesKind;

@PlainObjectType('A quality check on the rows of a tap.')
export class QualityRule {
  @RequiredField('Check type, such as `null_rate`.')
  type: string;

  @OptionalField('Maximum share of rows that may fail, 0 to 1.')
  maxRate?: number;
}

@PlainObjectType('Default settings for the control charts of a tap.')
export class SpcConfig {
  @OptionalField(
    'Number of earlier points that a chart needs before it reports violations, 2 to `windowSize`. Defaults to 14.',
    () => Int,
  )
  minHistoryForViolation?: number;

  @OptionalField('Metrics to chart.', () => [SpcSeriesKind])
  trackedSeries?: SpcSeriesKind[];

  @OptionalField(
    'Maximum number of earlier points from which the control limits are computed, 5 to 200. Defaults to 30.',
    () => Int,
  )
  windowSize?: number;
}

@PlainObjectType('Quality checks and control charts of a tap.')
export class TapQualityConfig {
  @OptionalField('Checks of every run.', () => [QualityRule])
  rules?: QualityRule[];

  @OptionalField('Control charts that track metrics from run to run.', () => SpcConfig)
  spc?: SpcConfig;
}
