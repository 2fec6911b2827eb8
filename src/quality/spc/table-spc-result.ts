import type { Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Float, Int } from 'type-graphql';
import { SpcSeriesKind } from '../../catalog/model/tap-quality-config.js';
import {
  DateTimeColumn,
  EnumColumn,
  ExactJsonColumn,
  IntColumn,
  OptionalField,
  PlainObjectType,
  RequiredField,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { Listed } from '../../kernel/entities/listed.js';
import { SafeInt } from '../../kernel/entities/scalars.js';
import { TenantOwned, TenantRelation, TenantTable } from '../../kernel/entities/tenant-table.js';
import { Base62Id } from '../../kernel/ids.js';
import { SpcChartType, SpcRule, SpcStatus } from '../contracts/spc-rule.js';
import { TableContract } from '../contracts/table-contract.js';

@PlainObjectType('Violation of a rule.')
export class SpcViolation {
  @RequiredField('Violated rule.', () => SpcRule)
  ruleId: SpcRule;

  @RequiredField('Description of the violation, in a sentence.')
  description: string;

  @RequiredField('Number of points in the pattern, including the latest.', () => Int)
  pointsInvolved: number;
}

@PlainObjectType(
  'State of a series after a run. With exactly one earlier point, the mean and the limits equal the value of that point. Without earlier points, the mean and the limits equal the latest value.',
)
export class SpcSeries {
  @RequiredField('Id of the series: `<contract>:<kind>[:<column>]`.')
  seriesId: string;

  @RequiredField('Kind of metric.', () => SpcSeriesKind)
  seriesKind: SpcSeriesKind;

  @RequiredField('Status of the series.', () => SpcStatus)
  status: SpcStatus;

  @RequiredField('Value that the run measured.', () => Float)
  latestValue: number;

  @RequiredField(
    'Mean of the baseline, which consists of up to `windowSize` earlier points. For the chart types `P` and `P_PRIME`, the points are weighted by their numbers of rows.',
    () => Float,
  )
  mean: number;

  @RequiredField(
    'Standard deviation of the baseline, or 0 for fewer than two points. For the chart types `P` and `P_PRIME`, the expected standard deviation for a run with `sampleSize` rows.',
    () => Float,
  )
  stddev: number;

  @RequiredField('Mean minus 3 standard deviations.', () => Float)
  lowerControl3Sigma: number;

  @RequiredField('Mean minus 2 standard deviations.', () => Float)
  lowerWarning2Sigma: number;

  @RequiredField('Mean plus 2 standard deviations.', () => Float)
  upperWarning2Sigma: number;

  @RequiredField('Mean plus 3 standard deviations.', () => Float)
  upperControl3Sigma: number;

  @RequiredField('Violations whose pattern ends with the latest point.', () => [SpcViolation])
  violations: SpcViolation[];

  @OptionalField(
    'Change in the value per run, by least squares over the baseline and the latest point. Null for fewer than three points.',
    () => Float,
  )
  trendSlope?: number;

  @OptionalField(
    'How the limits were computed. In results of earlier versions of the service, the value is null and means `INDIVIDUALS`.',
    () => SpcChartType,
  )
  chartType?: SpcChartType;

  @OptionalField(
    'Number of rows of the run, if the value is a share of rows. Null for other metrics, and if the number is unknown.',
    () => SafeInt,
  )
  sampleSize?: number;
}

@PlainObjectType('Control charts of a run.')
@TenantTable({ orderBy: { capturedAt: 'desc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'contract', 'runId', 'isReported'] })
@Index({ properties: ['contract', 'capturedAt'] })
@Index({ properties: ['contract', 'isReported', 'capturedAt'] })
@Listed({ filters: ['runId', 'overallStatus', 'capturedAt'], exact: ['runId'], orders: ['capturedAt'] })
export class TableSpcResult extends TenantOwned {
  @TenantRelation(() => TableContract, 'contract_id')
  contract: Ref<TableContract>;

  @Field(() => Base62Id, { description: 'Id of the result. A second result of the same run has a new id.' })
  resultId: string;

  @TextColumn('Id of the run, assigned by the service or by the external job that reported the result.')
  runId: string;

  /** Part of the unique constraint, because the external job that reports a result may use a run id of the service. */
  @Property({ type: 'boolean', default: false })
  isReported: boolean;

  @DateTimeColumn('Time of the measurement.')
  capturedAt: Date;

  @EnumColumn(
    SpcStatus,
    'Worst status of all series in the result. Worst to best: OUT_OF_CONTROL, WARNING, IN_BOUNDS, INSUFFICIENT_HISTORY.',
  )
  overallStatus: SpcStatus;

  @IntColumn('Maximum number of earlier points from which the control limits are computed.')
  windowSize: number;

  @ExactJsonColumn(() => [SpcSeries], 'Series of the run.')
  series: SpcSeries[];

  @Field(() => Base62Id, { nullable: true, description: 'Id of the contract if its scope is `data`. Otherwise null.' })
  dataContractId?: string;

  @Field(() => Base62Id, { nullable: true, description: 'Id of the contract if its scope is `tap`. Otherwise null.' })
  tapContractId?: string;
}
