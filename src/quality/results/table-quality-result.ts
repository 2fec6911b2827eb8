import type { Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Float } from 'type-graphql';
import { AnnouncesChanges } from '../../kernel/changes/change.js';
import {
  DateTimeColumn,
  EnumColumn,
  JsonColumn,
  OptionalField,
  PlainObjectType,
  RequiredField,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { Listed } from '../../kernel/entities/listed.js';
import { TenantOwned, TenantRelation, TenantTable } from '../../kernel/entities/tenant-table.js';
import { Base62Id } from '../../kernel/ids.js';
import { CheckStatus, Comparator, QualityGate, QualityLifecycle } from '../contracts/quality-check.js';
import { TableContract } from '../contracts/table-contract.js';
import type { RunMeasures } from './run-measures.js';

@PlainObjectType('Definition of a check.')
export class CheckSpec {
  @RequiredField(
    'Id of the check, unique within a result: the name of the check, or `name:column`, such as `null_rate:email`. An external job chooses the names of its own checks.',
  )
  id: string;

  @RequiredField('Condition under which the check passes, in a sentence.')
  description: string;

  @RequiredField('Gate of the check. The gate determines the effect of a failure.', () => QualityGate)
  gate: QualityGate;
}

@PlainObjectType('Evidence for the status of a check.')
export class CheckEvidence {
  @OptionalField(
    'Sentence with the observed value and the threshold. For the statuses `SKIPPED` and `ERROR`, the sentence states the reason.',
  )
  message?: string;

  @OptionalField(
    'Observed value minus the observed value of the previous run. Null if either value is missing.',
    () => Float,
  )
  runOverRunDelta?: number;

  @OptionalField(
    'Primary keys of failing rows, at most 10. A row without a complete key is given as `<_batch>:<_row>`. Null if the check passed or does not concern individual rows, or if a key column is sensitive.',
    () => [String],
  )
  sampleKeys?: string[];

  @OptionalField(
    'Failing values, most frequent first: at most 5, truncated to 64 characters each. Null if the check passed or does not concern individual values, or if the column is sensitive.',
    () => [String],
  )
  topViolatingValues?: string[];
}

@PlainObjectType(
  'Result of a check. The check passes if `observed comparator threshold` is true, such as `0.02 LTE 0.05`.',
)
export class CheckResult {
  @RequiredField('Definition of the check.', () => CheckSpec)
  spec: CheckSpec;

  @OptionalField('Checked column. Null if the check has no column.')
  column?: string;

  @RequiredField('Outcome of the check.', () => CheckStatus)
  status: CheckStatus;

  @OptionalField(
    'Comparison of `observed` with `threshold`. Null if an external job did not report one.',
    () => Comparator,
  )
  comparator?: Comparator;

  @OptionalField(
    'Observed value. Null if the check was skipped or could not run, or if an external job did not report the value.',
    () => Float,
  )
  observed?: number;

  @OptionalField('Value that `observed` is compared with. Null if an external job did not report one.', () => Float)
  threshold?: number;

  @OptionalField('Evidence for the status.', () => CheckEvidence)
  evidence?: CheckEvidence;

  /** Key of the rule, such as `null_rate:email`. The API does not return it. */
  key: string;
}

@PlainObjectType('Results of the checks of a run.')
@TenantTable({ orderBy: { capturedAt: 'desc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'contract', 'runId', 'isReported'] })
@Index({ properties: ['contract', 'capturedAt'] })
@Index({ properties: ['contract', 'isReported', 'capturedAt'] })
@AnnouncesChanges({
  parent: '(select k.table_id from table_contract k where k.tenant_id = new.tenant_id and k.id = new.contract_id)',
})
@Listed({ filters: ['runId', 'overallStatus', 'lifecycle', 'capturedAt'], exact: ['runId'], orders: ['capturedAt'] })
export class TableQualityResult extends TenantOwned {
  @TenantRelation(() => TableContract, 'contract_id')
  contract: Ref<TableContract>;

  @Field(() => Base62Id, { description: 'Id of the result. A second result of the same run has a new id.' })
  resultId: string;

  @TextColumn('Id of the run, assigned by the service or by the external job that reported the result.')
  runId: string;

  /** Part of the unique constraint, because the external job that reports a result may use a run id of the service. */
  @Property({ type: 'boolean', default: false })
  isReported: boolean;

  @DateTimeColumn('Time of the checks.')
  capturedAt: Date;

  @EnumColumn(CheckStatus, 'Worst status of the checks. Worst to best: FAIL, ERROR, WARN, PASS, SKIPPED.')
  overallStatus: CheckStatus;

  @EnumColumn(QualityLifecycle, 'Stage at which the rows were checked.')
  lifecycle: QualityLifecycle;

  @JsonColumn(() => [CheckResult], 'Results of the checks.')
  checks: CheckResult[];

  @Field(() => Base62Id, { nullable: true, description: 'Id of the contract if its scope is `data`. Otherwise null.' })
  dataContractId?: string;

  @Field(() => Base62Id, { nullable: true, description: 'Id of the contract if its scope is `tap`. Otherwise null.' })
  tapContractId?: string;

  /**
   * Whether a check of GATE_2 failed. Ignores a check of the service if a user has removed its rule from the contract.
   */
  @Property({ type: 'boolean', default: false })
  isDegraded: boolean;

  /** Unset if a gate rejected the rows, and for a reported result. */
  @Property({ type: 'json', columnType: 'json', nullable: true })
  measures?: RunMeasures;
}
