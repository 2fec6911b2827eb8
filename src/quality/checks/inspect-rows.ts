import { ruleKeyOf } from '../contracts/series-key.js';
import type { CheckEvidence, CheckResult } from '../results/table-quality-result.js';
import { CheckContext } from './check-context.js';
import { countMissingRecords } from './count-missing-records.js';
import { findEvidence } from './find-evidence.js';
import { findInvalidPatterns } from './find-invalid-patterns.js';
import { createRowSource } from './inspected-columns.js';
import type { InspectedRows, Inspection, InspectionServices, InspectionTask } from './inspection.js';
import type { ViolatingRows } from './planned-check.js';
import { prepareCheck } from './prepare-check.js';
import { prepareMeasures } from './prepare-measures.js';
import { prepareSeries } from './prepare-series.js';

/** The evidence of one check takes about as long as all aggregates together. */
const MAX_CHECKS_WITH_EVIDENCE = 20;

/**
 * One statement computes all aggregates, and another statement counts exact duplicates. The evidence of each failed
 * check requires one or two further statements. Opens no file if metadata such as the row count is sufficient. Throws
 * `FileNotFoundError`, `FileStoreError` and the abort reason of the signal.
 */
export async function inspectRows(services: InspectionServices, task: InspectionTask): Promise<Inspection> {
  const { expected, previous, now, signal } = task;
  const missingRecords = await countMissingRecords(services, task);
  const rows = { ...(await withMergedCount(services, task)), missingRecords };
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
      const source = createRowSource(paths, rows);
      await context.read(connection, source);
      return conclude((violatingRows) => findEvidence(connection, source, context, violatingRows));
    }, signal),
  );
}

const WITHOUT_COUNT: ReadonlySet<string> = new Set([
  'freshness',
  'schema_columns',
  'schema_types',
  'TABLE_FRESHNESS_SECONDS',
  'TABLE_BYTES',
]);

/** If each row is a change of a record, and a check or series needs the number of records, counts the records. */
async function withMergedCount(
  { localFiles, duckdb }: InspectionServices,
  { rows, expected, signal }: InspectionTask,
): Promise<InspectedRows> {
  const counted = [...expected.rules.map(({ type }) => type), ...expected.series.map(({ kind }) => kind)];
  if (!rows.areChanges || rows.files.length === 0 || counted.every((name) => WITHOUT_COUNT.has(name))) return rows;
  return localFiles.use(rows.files, (paths) =>
    duckdb.connect(async (connection) => {
      const result = await connection.runAndReadAll(`select count(*) from ${createRowSource(paths, rows)([])}`);
      return { ...rows, rows: Number(result.value(0, 0)) };
    }, signal),
  );
}
