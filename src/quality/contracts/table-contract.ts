import type { Ref } from '@mikro-orm/core';
import { Unique } from '@mikro-orm/decorators/legacy';
import { Float, InputType, Int } from 'type-graphql';
import { SpcSeriesKind } from '../../catalog/model/tap-quality-config.js';
import {
  BooleanColumn,
  DateTimeColumn,
  EnumColumn,
  IntColumn,
  JsonColumn,
  OptionalField,
  PlainObjectType,
  RequiredField,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { Limits } from '../../kernel/entities/field-limits.js';
import { Listed } from '../../kernel/entities/listed.js';
import { DateTime, JsonObject } from '../../kernel/entities/scalars.js';
import { TenantAudited, TenantRelation, TenantTable } from '../../kernel/entities/tenant-table.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { Base62Id } from '../../kernel/ids.js';
import { CatalogTable } from '../../tables/catalog-table.js';
import type { TableSchema } from '../../tables/table-schema.js';
import { QualityCheck } from './quality-check.js';
import { SigmaMethod, SpcBaseline, SpcRule } from './spc-rule.js';

export const ContractScope = wireEnum('ContractScope', 'Rows that a contract applies to.', {
  tap: 'The rows of one run of the tap, before they are loaded into the table.',
  data: 'The whole table, after each run and once an hour.',
});
export type ContractScope = keyof typeof ContractScope;

export const RunScope = wireEnum('RunScope', 'What counts as a run of pushed records.', {
  landing: 'All batches that one commit adds to the table are one run.',
  batch: 'Each batch is a run.',
});
export type RunScope = keyof typeof RunScope;

@InputType('ContractSeriesInput', { description: 'A metric for a control chart.' })
@PlainObjectType('A metric that a control chart tracks from run to run.')
export class ContractSeries {
  @RequiredField('Kind of metric.', () => SpcSeriesKind)
  kind: SpcSeriesKind;

  @OptionalField('Column to measure. Required for the kinds `COLUMN_...`, and null for other kinds.')
  @Limits({ maxLength: 256 })
  column?: string;

  @OptionalField('Earlier points that the chart compares each point with. Null means `recent`.', () => SpcBaseline)
  baseline?: SpcBaseline;
}

@InputType('ContractRuleInput', { description: 'A rule that the service checks for each run.' })
@PlainObjectType('A rule that the service checks for each run.')
export class ContractRule {
  @RequiredField('Kind of check.', () => QualityCheck)
  type: QualityCheck;

  @OptionalField('Column to check. Null for checks of whole rows or tables.')
  @Limits({ maxLength: 256 })
  column?: string;

  @OptionalField(
    'Highest share that passes, 0 to 1. For `row_count_delta`, the highest change that passes, as a fraction of the previous row count, 0 to 100 (1 means 100 %). Null means 0.',
    () => Float,
  )
  maxRate?: number;

  @OptionalField(
    'For `range`, the lowest value that passes, or null for no lower limit. For `row_count_min`, the required number of rows, 1 by default.',
    () => Float,
  )
  minimum?: number;

  @OptionalField('For `range`, the highest value that passes, or null for no upper limit.', () => Float)
  maximum?: number;

  @OptionalField('For `freshness`, the maximum age of the newest record, in seconds.', () => Int)
  maxSeconds?: number;

  @OptionalField('For `accepted_values`, a list of 1 to 1,000 accepted values.', () => [String])
  values?: string[];

  @OptionalField('For `pattern`, an RE2 regular expression that must match the whole value.')
  pattern?: string;
}

@PlainObjectType(
  'A level that a user accepted: a period in which the values of a series vary around one mean. The chart ignores all points before the level.',
)
export class AcceptedLevel {
  @RequiredField('Id of the series: `<contract>:<kind>[:<column>]`.')
  seriesId: string;

  @RequiredField('Time of the first point of the level.', () => DateTime)
  from: string;

  @RequiredField(
    'Time of the decision. Points between `from` and the decision are part of the baseline of the limits, even if they are OUT_OF_CONTROL.',
    () => DateTime,
  )
  acceptedAt: string;

  @RequiredField('Id of the user who accepted the level.', () => Base62Id)
  acceptedBy: string;
}

@PlainObjectType(
  'Expected content of the whole table (scope `data`), or of the rows of one run of its tap (scope `tap`).',
)
@TenantTable({ orderBy: { createdAt: 'asc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'table', 'scope'] })
@Listed({ filters: ['scope'], orders: ['createdAt'] })
export class TableContract extends TenantAudited {
  @TenantRelation(() => CatalogTable, 'table_id')
  table: Ref<CatalogTable>;

  @EnumColumn(ContractScope, 'Rows that the contract applies to.')
  scope: ContractScope;

  @IntColumn('Version, starting at 1. Each change increments it.')
  version: number = 1;

  @JsonColumn(() => JsonObject, 'Required columns (`fields`), each with `name`, `type`, and `scale` for a Decimal.')
  schema: TableSchema;

  @BooleanColumn('Whether the table may have columns that `schema` does not name.')
  allowsNewColumns: boolean = true;

  @JsonColumn(
    () => [String],
    'Columns that together identify a record. The list is empty if the table has no known key.',
  )
  primaryKey: string[];

  @TextColumn('Column with the time of a record. Null means the time of receipt.', { nullable: true })
  timestampColumn?: string;

  @JsonColumn(() => [String], 'Columns whose values never appear in results.')
  sensitiveColumns: string[];

  @JsonColumn(() => [ContractSeries], 'Metrics for control charts.')
  series: ContractSeries[];

  @JsonColumn(() => [ContractRule], 'Rules that the service checks for each run.')
  rules: ContractRule[];

  @IntColumn('Maximum number of earlier points from which the control limits are computed.')
  windowSize: number;

  @IntColumn('Number of earlier points that a chart needs before it reports violations.')
  minHistoryForViolation: number;

  @EnumColumn(SigmaMethod, 'Method to estimate the standard deviation.')
  sigmaMethod: SigmaMethod = 'sample_stddev';

  @JsonColumn(() => [SpcRule], 'Enabled optional rules: NELSON_4, NELSON_7, NELSON_8, WECO_4.')
  extraSpcRules: SpcRule[];

  @JsonColumn(() => [AcceptedLevel], 'Levels that users accepted, at most one per series. Null if there are none.', {
    nullable: true,
  })
  acceptedLevels?: AcceptedLevel[];

  @EnumColumn(RunScope, 'What counts as a run of pushed records.')
  runScope: RunScope = 'landing';

  @DateTimeColumn('Time since which a check of GATE_2 has failed. Null if no such check fails.', { nullable: true })
  degradedSince?: Date;
}
