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
import { JsonObject } from '../../kernel/entities/scalars.js';
import { TenantAudited, TenantRelation, TenantTable } from '../../kernel/entities/tenant-table.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { CatalogTable } from '../../tables/catalog-table.js';
import type { TableSchema } from '../../tables/table-schema.js';
import { QualityCheck } from './quality-check.js';
import { SigmaMethod, SpcRule } from './spc-rule.js';

export const ContractScope = wireEnum('ContractScope', 'Which rows a contract is about.', {
  tap: 'Those that a run of the tap brings, before they become part of the table.',
  data: 'All of the table, once it has changed, and now and then.',
});
export type ContractScope = keyof typeof ContractScope;

export const RunScope = wireEnum('RunScope', 'What a run is, of records that are pushed.', {
  landing: 'All that becomes part of the table together.',
  batch: 'Each batch by itself.',
});
export type RunScope = keyof typeof RunScope;

@InputType('ContractSeriesInput', { description: 'What is to be followed from run to run.' })
@PlainObjectType('What is followed from run to run on a control chart.')
export class ContractSeries {
  @RequiredField('What is followed.', () => SpcSeriesKind)
  kind: SpcSeriesKind;

  @OptionalField('Column that it is about, of the kinds `COLUMN_...`.')
  @Limits({ maxLength: 256 })
  column?: string;
}

@InputType('ContractRuleInput', { description: 'A check that each run is to pass.' })
@PlainObjectType('A check on each run.')
export class ContractRule {
  @RequiredField('What is checked.', () => QualityCheck)
  type: QualityCheck;

  @OptionalField('Column that it is about.')
  @Limits({ maxLength: 256 })
  column?: string;

  @OptionalField('Highest share that passes, 0 to 1; of row_count_delta, 0 to 100.', () => Float)
  maxRate?: number;

  @OptionalField('range: lowest value that passes. row_count_min: rows that there have to be.', () => Float)
  minimum?: number;

  @OptionalField('range: highest value that passes.', () => Float)
  maximum?: number;

  @OptionalField('freshness: seconds that pass.', () => Int)
  maxSeconds?: number;

  @OptionalField('accepted_values: the list.', () => [String])
  values?: string[];

  @OptionalField('pattern: a regular expression of RE2 that the whole value has to match.')
  pattern?: string;
}

@PlainObjectType('What is expected of a table, or of what its tap brings.')
@TenantTable({ orderBy: { createdAt: 'asc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'table', 'scope'] })
export class TableContract extends TenantAudited {
  @TenantRelation(() => CatalogTable, 'table_id')
  table: Ref<CatalogTable>;

  @EnumColumn(ContractScope, 'Which rows it is about.')
  scope: ContractScope;

  @IntColumn('Grows with each change, from 1.')
  version: number = 1;

  @JsonColumn(() => JsonObject, 'Columns that have to be there (`fields`): `name`, `type`, and `scale` of a Decimal.')
  schema: TableSchema;

  @BooleanColumn('Whether there may be columns that it does not name.')
  allowsNewColumns: boolean = true;

  @JsonColumn(() => [String], 'Columns that together name a record; none where that is not known.')
  primaryKey: string[];

  @TextColumn('Column that says how old a record is; when it came in, where there is none.', { nullable: true })
  timestampColumn?: string;

  @JsonColumn(() => [String], 'Columns whose values no result shows.')
  sensitiveColumns: string[];

  @JsonColumn(() => [ContractSeries], 'What is followed from run to run.')
  series: ContractSeries[];

  @JsonColumn(() => [ContractRule], 'What is checked on each run.')
  rules: ContractRule[];

  @IntColumn('Points that the limits of a control chart are computed from.')
  windowSize: number;

  @IntColumn('Points that there have to be before a violation is told.')
  minHistoryForViolation: number;

  @EnumColumn(SigmaMethod, 'What the limits are computed from.')
  sigmaMethod: SigmaMethod = 'sample_stddev';

  @JsonColumn(() => [SpcRule], 'Rules on request: NELSON_4, NELSON_7, NELSON_8, WECO_4.')
  extraSpcRules: SpcRule[];

  @EnumColumn(RunScope, 'What a run is, of records that are pushed to the tap.')
  runScope: RunScope = 'landing';

  @DateTimeColumn('Since when a check of GATE_2 fails; missing where none does.', { nullable: true })
  degradedSince?: Date;
}
