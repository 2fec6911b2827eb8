import type { Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Float } from 'type-graphql';
import {
  DateTimeColumn,
  EnumColumn,
  JsonColumn,
  OptionalField,
  PlainObjectType,
  RequiredField,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { TenantOwned, TenantRelation, TenantTable } from '../../kernel/entities/tenant-table.js';
import { Base62Id } from '../../kernel/ids.js';
import { CheckStatus, Comparator, QualityGate, QualityLifecycle } from '../contracts/quality-check.js';
import { TableContract } from '../contracts/table-contract.js';
import type { RunMeasures } from './run-measures.js';

@PlainObjectType('What a check stands for.')
export class CheckSpec {
  @RequiredField(
    'The check, unique within a result: its name, such as `row_count_min`, and its column where it has one: `null_rate:email`. A job names its own checks.',
  )
  id: string;

  @RequiredField('What passes, in a sentence.')
  description: string;

  @RequiredField('What follows where it fails.', () => QualityGate)
  gate: QualityGate;
}

@PlainObjectType('What speaks for the status of a check.')
export class CheckEvidence {
  @OptionalField('Column, what was observed and what passes, in a sentence.')
  message?: string;

  @OptionalField('What was observed, less that of the run before.', () => Float)
  runOverRunDelta?: number;

  @OptionalField('Primary keys of rows that fail, 10 at the most. None where a column of it is sensitive.', () => [
    String,
  ])
  sampleKeys?: string[];

  @OptionalField(
    'Values that fail, the most frequent first: 5 at the most, 64 characters of each. None of a sensitive column.',
    () => [String],
  )
  topViolatingValues?: string[];
}

@PlainObjectType('A check after a run. It passes when `observed comparator threshold`.')
export class CheckResult {
  @RequiredField('What it stands for.', () => CheckSpec)
  spec: CheckSpec;

  @OptionalField('Column that it is about.')
  column?: string;

  @RequiredField('What came of it.', () => CheckStatus)
  status: CheckStatus;

  @OptionalField('How observed and threshold are compared.', () => Comparator)
  comparator?: Comparator;

  @OptionalField('What was observed.', () => Float)
  observed?: number;

  @OptionalField('What it is compared with.', () => Float)
  threshold?: number;

  @OptionalField('What speaks for it.', () => CheckEvidence)
  evidence?: CheckEvidence;

  /** The same for the same rule of each run: `null_rate:email`. Not shown. */
  key: string;
}

@PlainObjectType('Checks of a table after a run.')
@TenantTable({ orderBy: { capturedAt: 'desc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'contract', 'runId', 'isReported'] })
@Index({ properties: ['contract', 'capturedAt'] })
@Index({ properties: ['contract', 'isReported', 'capturedAt'] })
export class TableQualityResult extends TenantOwned {
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

  @EnumColumn(CheckStatus, 'The worst of its checks.')
  overallStatus: CheckStatus;

  @EnumColumn(QualityLifecycle, 'When the rows were looked at.')
  lifecycle: QualityLifecycle;

  @JsonColumn(() => [CheckResult], 'Its checks.')
  checks: CheckResult[];

  @Field(() => Base62Id, { nullable: true, description: 'The contract, where it is about the table.' })
  dataContractId?: string;

  @Field(() => Base62Id, { nullable: true, description: 'The contract, where it is about what its tap brings.' })
  tapContractId?: string;

  /** Whether a check of GATE_2 fails. */
  @Property({ type: 'boolean', default: false })
  isDegraded: boolean;

  /** What the next run is compared with; missing where the rows did not become part of the table. */
  @Property({ type: 'json', columnType: 'json', nullable: true })
  measures?: RunMeasures;
}
