import { CheckFault } from './check-fault.js';
import { CHECK_KINDS } from './check-kinds.js';
import { finite } from './control-limits.js';
import type { Culprits, PlannedCheck } from './planned-check.js';
import { type CheckStatus, COMPARE, GATE_OF, missOf } from './quality-check.js';
import type { RunSight } from './run-sight.js';
import { ruleKeyOf } from './series-key.js';
import { shownNumber } from './shown-number.js';
import type { ContractRule } from './table-contract.js';
import type { CheckEvidence, CheckResult, CheckSpec } from './table-quality-result.js';

/** What a check has come to, before there is more evidence than a sentence. */
export interface JudgedCheck {
  readonly result: CheckResult;
  /** Of a check that failed. */
  readonly culprits?: Culprits | undefined;
}

/** A check as far as its rule says it. */
export function outlineOf(
  rule: ContractRule,
): Required<Pick<CheckResult, 'spec' | 'comparator' | 'threshold' | 'key'>> & Pick<CheckResult, 'column'> {
  const { comparator, threshold: thresholdOf, passes } = CHECK_KINDS[rule.type];
  const threshold = thresholdOf(rule);
  const { column } = rule;
  const key = ruleKeyOf(rule);
  const description = passes(shownNumber(threshold), column === undefined ? 'a column' : `"${column}"`);
  const spec: CheckSpec = { id: key, description, gate: GATE_OF[rule.type] };
  return { spec, ...(column !== undefined && { column }), comparator, threshold, key };
}

/** Asks the rows for what a rule has to know. What it answers is called once they were read; `before` is what it came to in the run before. */
export function readyRule(sight: RunSight, rule: ContractRule, before: CheckResult | undefined): () => JudgedCheck {
  const name = rule.column === undefined ? rule.type : `${rule.type} of "${rule.column}"`;
  const known = outlineOf(rule);
  const { spec, comparator, threshold } = known;
  const limit = shownNumber(threshold);
  const unmet = (status: CheckStatus, why: string): JudgedCheck => {
    const message = `${name}: ${why}`;
    return { result: { ...known, status, evidence: { message } } };
  };

  let planned: PlannedCheck;
  try {
    planned = CHECK_KINDS[rule.type].plan(sight, rule);
  } catch (error) {
    if (!(error instanceof CheckFault)) throw error;
    const { message } = error;
    return () => unmet('ERROR', message);
  }
  return () => {
    const { observed, detail } = planned.observe();
    if (observed === undefined) return unmet('SKIPPED', detail);
    const hasPassed = COMPARE[comparator](observed, threshold);
    const message = `${name} is ${shownNumber(observed)} (${detail}), ${limit}${comparator === 'GTE' ? ' or more' : ''} passes`;
    const evidence: CheckEvidence = { message };
    if (before?.observed !== undefined) evidence.runOverRunDelta = finite(observed - before.observed);
    const result: CheckResult = { ...known, observed, status: hasPassed ? 'PASS' : missOf(spec.gate), evidence };
    return { result, culprits: hasPassed ? undefined : planned.culprits };
  };
}
