import { isDeepStrictEqual } from 'node:util';
import type { Lean } from '../../kernel/reading/reader.js';
import { checkDefinitionOf } from '../checks/prepare-check.js';
import { COMPARISONS, failureStatusOf, type QualityCheck } from '../contracts/quality-check.js';
import { ruleKeyOf } from '../contracts/series-key.js';
import type { ContractRule, TableContract } from '../contracts/table-contract.js';
import type { TableQualityResult } from '../results/table-quality-result.js';
import { upgradeChecks } from '../results/upgrade-results.js';
import type { CheckPreview, CheckPreviewRun } from './contract-preview.js';

type Terms = Pick<TableContract, 'rules' | 'schema' | 'allowsNewColumns' | 'primaryKey' | 'sensitiveColumns'> & {
  timestampColumn?: string | null | undefined;
};

/** Fields of a contract that change the value that a check observes. */
const TERMS_BY_CHECK: Partial<Record<QualityCheck, readonly (keyof Terms)[]>> = {
  schema_columns: ['schema', 'allowsNewColumns'],
  schema_types: ['schema'],
  primary_key_unique: ['primaryKey'],
  primary_key_null: ['primaryKey'],
  duplicate_rate: ['primaryKey'],
  missing_rate: ['primaryKey'],
  freshness: ['timestampColumn'],
};

/**
 * Compares the observed values of stored runs with the thresholds of changed rules. `results` starts with the oldest
 * result.
 */
export function previewChecks(
  former: Terms,
  changed: Terms,
  results: readonly Pick<Lean<TableQualityResult>, 'capturedAt' | 'checks'>[],
): CheckPreview[] {
  const runs = results.map(({ capturedAt, checks }) => ({ capturedAt, checks: upgradeChecks(checks) }));
  return changed.rules.map((rule) => {
    const { spec, comparator, threshold, key } = checkDefinitionOf(rule);
    const preview = { spec, comparator, threshold };
    const unknownBecause = findObstacle(rule, former, changed);
    if (unknownBecause) return { ...preview, unknownBecause, runs: [] };
    const found = runs.flatMap(({ capturedAt, checks }): CheckPreviewRun[] => {
      const check = checks.find((one) => one.key === key);
      if (check?.observed == null) return [];
      const after = COMPARISONS[comparator](check.observed, threshold) ? 'PASS' : failureStatusOf(spec.gate);
      return [{ capturedAt: capturedAt as unknown as string, observed: check.observed, before: check.status, after }];
    });
    return { ...preview, runs: found };
  });
}

function findObstacle(rule: ContractRule, former: Terms, changed: Terms): string | undefined {
  const earlier = former.rules.find((one) => ruleKeyOf(one) === ruleKeyOf(rule));
  if (!earlier) return 'The check is new. It gets its first value with the next run.';
  const terms = TERMS_BY_CHECK[rule.type] ?? [];
  const isSame =
    isDeepStrictEqual(observedSettingsOf(rule), observedSettingsOf(earlier)) &&
    terms.every((name) => isDeepStrictEqual(former[name] ?? null, changed[name] ?? null));
  return isSame ? undefined : 'The change affects the observed values. Its effect appears with the next run.';
}

/** These settings change the observed value. All other settings change the threshold. */
function observedSettingsOf({ type, values, pattern, minimum, maximum }: ContractRule): object {
  return { values, pattern, ...(type === 'range' && { minimum, maximum }) };
}
