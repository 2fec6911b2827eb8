import { ruleKeyOf } from '../contracts/series-key.js';
import type { CheckEvidence, CheckResult } from '../results/table-quality-result.js';
import { CheckContext } from './check-context.js';
import { countMissingRecords } from './count-missing-records.js';
import { findEvidence } from './find-evidence.js';
import { findInvalidPatterns } from './find-invalid-patterns.js';
import { createRowSource } from './inspected-columns.js';
import type { Inspection, InspectionServices, InspectionTask } from './inspection.js';
import type { ViolatingRows } from './planned-check.js';
import { prepareCheck } from './prepare-check.js';
import { prepareMeasures } from './prepare-measures.js';
import { prepareSeries } from './prepare-series.js';

/** Evidence for one check takes about as long as all aggregates together. */
const MAX_CHECKS_WITH_EVIDENCE = 20;

/**
 * Runs the checks and measures the series of a contract. One statement computes all aggregates and reads only the
 * columns they need; a second statement counts exact duplicates. Each of the first failed checks takes one or two more
 * statements for its evidence. If metadata such as the row count suffices, no file is opened. Throws
 * `FileNotFoundError`, `FileStoreError`, and the reason of the signal if it is aborted.
 */
export async function inspectRows(services: InspectionServices, task: InspectionTask): Promise<Inspection> {
  const { expected, previous, now, signal } = task;
  const missingRecords = await countMissingRecords(services, task);
  const rows = { ...task.rows, missingRecords };
  const patterns = await findInvalidPatterns(
    services.duckdb,
    expected.rules.flatMap(({ pattern }) => pattern ?? []),
    signal,
  );
  const context = new CheckContext(rows, expected, previous?.measures, now, patterns);
  const before = new Map(previous?.checks.map((check) => [check.key, check]));
  const checks = expected.rules.map((rule) => prepareCheck(context, rule, before.get(ruleKeyOf(rule))));
  const series = prepareSeries(context, expected.series);
  const measures = prepareMeasures(context, expected.rules);
  const conclude = async (
    evidenceOf: (violatingRows: ViolatingRows) => Promise<CheckEvidence>,
  ): Promise<Inspection> => {
    const results: CheckResult[] = [];
    let withEvidence = 0;
    for (const { result, violatingRows } of checks.map((evaluate) => evaluate())) {
      signal.throwIfAborted();
      if (!violatingRows || withEvidence++ >= MAX_CHECKS_WITH_EVIDENCE) results.push(result);
      else results.push({ ...result, evidence: { ...result.evidence, ...(await evidenceOf(violatingRows)) } });
    }
    return { checks: results, values: series(), measures: measures() };
  };

  if (rows.files.length === 0 || !context.needsScan) return conclude(async () => ({}));
  return services.localFiles.use(rows.files, (paths) =>
    services.duckdb.connect(async (connection) => {
      const source = createRowSource(paths);
      await context.read(connection, source);
      return conclude((violatingRows) => findEvidence(connection, source, context, violatingRows));
    }, signal),
  );
}
