import { ruleKeyOf } from '../contracts/series-key.js';
import type { CheckEvidence, CheckResult } from '../results/table-quality-result.js';
import { CheckContext } from './check-context.js';
import { findEvidence } from './find-evidence.js';
import { findInvalidPatterns } from './find-invalid-patterns.js';
import { createRowSource } from './inspected-columns.js';
import type { Inspection, InspectionServices, InspectionTask } from './inspection.js';
import type { ViolatingRows } from './planned-check.js';
import { prepareCheck } from './prepare-check.js';
import { prepareMeasures } from './prepare-measures.js';
import { prepareSeries } from './prepare-series.js';

/** Checks that failed whose rows and values are searched for: each takes about as long as all aggregates together. */
const MAX_CHECKS_WITH_EVIDENCE = 20;

/**
 * Looks at rows by what is expected of them. All aggregates are one statement that reads the columns it needs, exact duplicates a second one, and each of
 * the first checks that failed one or two for its evidence; where nothing is asked but the number of rows and the like, no file is opened. Throws
 * `FileNotFoundError`, `FileStoreError`, and the reason of the signal once that is aborted.
 */
export async function inspectRows(
  parts: InspectionServices,
  { rows, expected, previous, now, signal }: InspectionTask,
): Promise<Inspection> {
  const patterns = await findInvalidPatterns(
    parts.duckdb,
    expected.rules.flatMap(({ pattern }) => pattern ?? []),
    signal,
  );
  const sight = new CheckContext(rows, expected, previous?.measures, now, patterns);
  const before = new Map(previous?.checks.map((check) => [check.key, check]));
  const checks = expected.rules.map((rule) => prepareCheck(sight, rule, before.get(ruleKeyOf(rule))));
  const series = prepareSeries(sight, expected.series);
  const measures = prepareMeasures(sight, expected.rules);
  const conclude = async (evidenceOf: (culprits: ViolatingRows) => Promise<CheckEvidence>): Promise<Inspection> => {
    const results: CheckResult[] = [];
    let shown = 0;
    for (const { result, culprits } of checks.map((judge) => judge())) {
      const isShown = culprits && shown++ < MAX_CHECKS_WITH_EVIDENCE;
      signal.throwIfAborted();
      results.push(isShown ? { ...result, evidence: { ...result.evidence, ...(await evidenceOf(culprits)) } } : result);
    }
    return { checks: results, values: series(), measures: measures() };
  };

  if (rows.files.length === 0 || !sight.needsScan) return conclude(async () => ({}));
  return parts.localFiles.use(rows.files, (paths) =>
    parts.duckdb.connect(async (connection) => {
      const source = createRowSource(paths);
      await sight.read(connection, source);
      return conclude((culprits) => findEvidence(connection, source, sight, culprits));
    }, signal),
  );
}
