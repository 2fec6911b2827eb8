import { faultyPatterns } from './faulty-patterns.js';
import { findEvidence } from './find-evidence.js';
import { rowSource } from './inspected-columns.js';
import type { Inspection, InspectionParts, InspectionTask } from './inspection.js';
import { readyRule } from './judge-check.js';
import type { Culprits } from './planned-check.js';
import { readyMeasures } from './run-measures.js';
import { RunSight } from './run-sight.js';
import { ruleKeyOf } from './series-key.js';
import { readySeries } from './series-values.js';
import type { CheckEvidence, CheckResult } from './table-quality-result.js';

/** Checks that failed whose rows and values are searched for: each takes about as long as all aggregates together. */
const MOST_SHOWN = 20;

/**
 * Looks at rows by what is expected of them. All aggregates are one statement that reads the columns it needs, exact duplicates a second one, and each of
 * the first checks that failed one or two for its evidence; where nothing is asked but the number of rows and the like, no file is opened. Throws
 * `FileMissing`, `StoringFailed`, and the reason of the signal once that is aborted.
 */
export async function inspectRows(
  parts: InspectionParts,
  { rows, expected, previous, now, signal }: InspectionTask,
): Promise<Inspection> {
  const patterns = await faultyPatterns(
    parts.duckdb,
    expected.rules.flatMap(({ pattern }) => pattern ?? []),
    signal,
  );
  const sight = new RunSight(rows, expected, previous?.measures, now, patterns);
  const before = new Map(previous?.checks.map((check) => [check.key, check]));
  const checks = expected.rules.map((rule) => readyRule(sight, rule, before.get(ruleKeyOf(rule))));
  const series = readySeries(sight, expected.series);
  const measures = readyMeasures(sight, expected.rules);
  const conclude = async (evidenceOf: (culprits: Culprits) => Promise<CheckEvidence>): Promise<Inspection> => {
    const results: CheckResult[] = [];
    let shown = 0;
    for (const { result, culprits } of checks.map((judge) => judge())) {
      const isShown = culprits && shown++ < MOST_SHOWN;
      signal.throwIfAborted();
      results.push(isShown ? { ...result, evidence: { ...result.evidence, ...(await evidenceOf(culprits)) } } : result);
    }
    return { checks: results, values: series(), measures: measures() };
  };

  if (rows.files.length === 0 || !sight.hasQuestions) return conclude(async () => ({}));
  return parts.localFiles.use(rows.files, (paths) =>
    parts.duckdb.connect(async (connection) => {
      const source = rowSource(paths);
      await sight.read(connection, source);
      return conclude((culprits) => findEvidence(connection, source, sight, culprits));
    }, signal),
  );
}
