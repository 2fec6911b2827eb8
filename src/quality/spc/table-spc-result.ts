import type { Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Float, Int } from 'type-graphql';
import { SpcSeriesKind } from '../../catalog/model/tap-quality-config.js';
import {
  DateTimeColumn,
  EnumColumn,
  IntColumn,
  JsonColumn,
  OptionalField,
  PlainObjectType,
  RequiredField,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { TenantOwned, TenantRelation, TenantTable } from '../../kernel/entities/tenant-table.js';
import { Base62Id } from '../../kernel/ids.js';
import { SpcRule, SpcStatus } from '../contracts/spc-rule.js';
import { TableContract } from '../contracts/table-contract.js';

@PlainObjectType('What a rule noticed about a series.')
export class SpcViolation {
  @RequiredField('The rule.', () => SpcRule)
  ruleId: SpcRule;

  @RequiredField('What it noticed, in a sentence.')
  description: string;

  @RequiredField('Points of the pattern, the latest among them.', () => Int)
  pointsInvolved: number;
}

@PlainObjectType(
  'A series of a table after a run. With one point before the latest, mean and limits are its value; with none, the latest value.',
)
export class SpcSeries {
  @RequiredField('The contract, the kind, and the column of a column series: `<contract>:<kind>[:<column>]`.')
  seriesId: string;

  @RequiredField('What is followed.', () => SpcSeriesKind)
  seriesKind: SpcSeriesKind;

  @RequiredField('How it is.', () => SpcStatus)
  status: SpcStatus;

  @RequiredField('That of the run.', () => Float)
  latestValue: number;

  @RequiredField('Mean of the points before the latest, at most `windowSize`.', () => Float)
  mean: number;

  @RequiredField('Standard deviation of those points; 0 of fewer than two.', () => Float)
  stddev: number;

  @RequiredField('Mean - 3 standard deviations.', () => Float)
  lowerControl3Sigma: number;

  @RequiredField('Mean - 2 standard deviations.', () => Float)
  lowerWarning2Sigma: number;

  @RequiredField('Mean + 2 standard deviations.', () => Float)
  upperWarning2Sigma: number;

  @RequiredField('Mean + 3 standard deviations.', () => Float)
  upperControl3Sigma: number;

  @RequiredField('What the rules noticed.', () => [SpcViolation])
  violations: SpcViolation[];

  @OptionalField(
    'Slope a run, by least squares over those points and the latest; there from three points on.',
    () => Float,
  )
  trendSlope?: number;

  /** On which side of the limits an OUT_OF_CONTROL point lies. Not shown. */
  beyond?: 'above' | 'below';
}

@PlainObjectType('Control charts of a table after a run.')
@TenantTable({ orderBy: { capturedAt: 'desc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'contract', 'runId', 'isReported'] })
@Index({ properties: ['contract', 'capturedAt'] })
@Index({ properties: ['contract', 'isReported', 'capturedAt'] })
export class TableSpcResult extends TenantOwned {
  @TenantRelation(() => TableContract, 'contract_id')
  contract: Ref<TableContract>;

  @Field(() => Base62Id, { description: 'Another one for each result, also of the same run.' })
  resultId: string;

  @TextColumn('The run: an id of the service, or the name that a job gave it.')
  runId: string;

  /** By a job outside, which may call its run as the service calls one of its own. */
  @Property({ type: 'boolean', default: false })
  isReported: boolean;

  @DateTimeColumn('When the rows were looked at.')
  capturedAt: Date;

  @EnumColumn(SpcStatus, 'The worst of its series.')
  overallStatus: SpcStatus;

  @IntColumn('Points that the limits are computed from, at the most.')
  windowSize: number;

  @JsonColumn(() => [SpcSeries], 'Its series.')
  series: SpcSeries[];

  @Field(() => Base62Id, { nullable: true, description: 'The contract, where it is about the table.' })
  dataContractId?: string;

  @Field(() => Base62Id, { nullable: true, description: 'The contract, where it is about what its tap brings.' })
  tapContractId?: string;
}
