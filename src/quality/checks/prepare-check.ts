import { type CheckStatus, COMPARISONS, failureStatusOf, GATE_BY_CHECK } from '../contracts/quality-check.js';
import { ruleKeyOf } from '../contracts/series-key.js';
import type { ContractRule } from '../contracts/table-contract.js';
import type { CheckEvidence, CheckResult, CheckSpec } from '../results/table-quality-result.js';
import { clampFinite } from '../spc/control-limits.js';
import { formatNumber } from '../spc/format-number.js';
import type { CheckContext } from './check-context.js';
import { CheckError } from './check-error.js';
import { CHECK_KINDS } from './check-kinds.js';
import type { PlannedCheck, ViolatingRows } from './planned-check.js';

/** What a check has come to, before there is more evidence than a sentence. */
export interface EvaluatedCheck {
  readonly result: CheckResult;
  /** Of a check that failed. */
  readonly culprits?: ViolatingRows | undefined;
}

/** A check as far as its rule says it. */
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

/** Asks the rows for what a rule has to know. What it answers is called once they were read; `before` is what it came to in the run before. */
export function prepareCheck(
  sight: CheckContext,
  rule: ContractRule,
  before: CheckResult | undefined,
): () => EvaluatedCheck {
  const name = rule.column === undefined ? rule.type : `${rule.type} of "${rule.column}"`;
  const known = checkDefinitionOf(rule);
  const { spec, comparator, threshold } = known;
  const limit = formatNumber(threshold);
  const unmet = (status: CheckStatus, why: string): EvaluatedCheck => {
    const message = `${name}: ${why}`;
    return { result: { ...known, status, evidence: { message } } };
  };

  let planned: PlannedCheck;
  try {
    planned = CHECK_KINDS[rule.type].plan(sight, rule);
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    const { message } = error;
    return () => unmet('ERROR', message);
  }
  return () => {
    const { observed, detail } = planned.observe();
    if (observed === undefined) return unmet('SKIPPED', detail);
    const hasPassed = COMPARISONS[comparator](observed, threshold);
    const message = `${name} is ${formatNumber(observed)} (${detail}), ${limit}${comparator === 'GTE' ? ' or more' : ''} passes`;
    const evidence: CheckEvidence = { message };
    if (before?.observed !== undefined) evidence.runOverRunDelta = clampFinite(observed - before.observed);
    const result: CheckResult = {
      ...known,
      observed,
      status: hasPassed ? 'PASS' : failureStatusOf(spec.gate),
      evidence,
    };
    return { result, culprits: hasPassed ? undefined : planned.culprits };
  };
}
