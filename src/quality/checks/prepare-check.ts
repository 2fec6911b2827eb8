import {
  type CheckStatus,
  COMPARISONS,
  type Comparator,
  failureStatusOf,
  GATE_BY_CHECK,
} from '../contracts/quality-check.js';
import { ruleKeyOf } from '../contracts/series-key.js';
import type { ContractRule } from '../contracts/table-contract.js';
import type { CheckEvidence, CheckResult, CheckSpec } from '../results/table-quality-result.js';
import { clampFinite } from '../spc/control-limits.js';
import { formatNumber } from '../spc/format-number.js';
import type { CheckContext } from './check-context.js';
import { CheckError } from './check-error.js';
import { CHECK_KINDS } from './check-kinds.js';
import type { PlannedCheck, ViolatingRows } from './planned-check.js';

export interface EvaluatedCheck {
  readonly result: CheckResult;
  /** Set only if the check failed. */
  readonly violatingRows?: ViolatingRows | undefined;
}

export function checkDefinitionOf(
  rule: ContractRule,
): Required<Pick<CheckResult, 'spec' | 'comparator' | 'threshold' | 'key'>> & Pick<CheckResult, 'column'> {
  const { comparator, threshold: thresholdOf, passes } = CHECK_KINDS[rule.type];
  const threshold = thresholdOf(rule);
  const { column } = rule;
  const key = ruleKeyOf(rule);
  const description = passes(formatNumber(threshold), column === undefined ? 'a column' : `"${column}"`);
  const spec: CheckSpec = { id: key, description, gate: GATE_BY_CHECK[rule.type] };
  return { spec, ...(column !== undefined && { column }), comparator, threshold, key };
}

/**
 * The caller must call the returned function after the scan. `before` is the check of this rule in the previous run.
 */
export function prepareCheck(
  context: CheckContext,
  rule: ContractRule,
  before: CheckResult | undefined,
): () => EvaluatedCheck {
  const name = rule.column === undefined ? rule.type : `${rule.type} of "${rule.column}"`;
  const known = checkDefinitionOf(rule);
  const { spec, comparator, threshold } = known;
  const limit = formatNumber(threshold);
  const withoutValue = (status: CheckStatus, reason: string): EvaluatedCheck => {
    const message = `${name}: ${reason}`;
    return { result: { ...known, status, evidence: { message } } };
  };

  let planned: PlannedCheck;
  try {
    planned = CHECK_KINDS[rule.type].plan(context, rule);
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    const { message } = error;
    return () => withoutValue('ERROR', message);
  }
  return () => {
    const { observed, detail } = planned.observe();
    if (observed === undefined) return withoutValue('SKIPPED', detail);
    const hasPassed = COMPARISONS[comparator](observed, threshold);
    const message = `${name} is ${formatNumber(observed)} (${detail}); ${describeRequirement(comparator, limit)}`;
    const evidence: CheckEvidence = { message };
    if (before?.observed !== undefined) evidence.runOverRunDelta = clampFinite(observed - before.observed);
    const result: CheckResult = {
      ...known,
      observed,
      status: hasPassed ? 'PASS' : failureStatusOf(spec.gate),
      evidence,
    };
    return { result, violatingRows: hasPassed ? undefined : planned.violatingRows };
  };
}

function describeRequirement(comparator: Comparator, limit: string): string {
  if (comparator === 'LTE') return `at most ${limit} is allowed`;
  return comparator === 'GTE' ? `at least ${limit} is required` : `${limit} is required`;
}
