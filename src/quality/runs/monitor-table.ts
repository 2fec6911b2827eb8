import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { FileNotFoundError } from '../../kernel/files/file-store.js';
import { newId } from '../../kernel/ids.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import { overrideRow } from '../../kernel/reading/override-row.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { runTenantTransaction, type TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { CatalogTable } from '../../tables/catalog-table.js';
import type { TableJobData } from '../../tables/files/table-cleanup-job.js';
import type { InspectedRows, PreviousRun } from '../checks/inspection.js';
import { findContract } from '../contracts/create-contracts.js';
import type { QualityCheck } from '../contracts/quality-check.js';
import { ruleKeyOf } from '../contracts/series-key.js';
import type { ContractRule, TableContract } from '../contracts/table-contract.js';
import { enqueueNextMonitoring, MONITOR_INTERVAL_SECONDS } from '../contracts/table-quality-job.js';
import { findLatestMeasured, findMeasuredBefore, hasMeasuredResult } from '../results/measured-results.js';
import { pruneResults } from '../results/prune-results.js';
import type { RunMeasures } from '../results/run-measures.js';
import { lockContract, saveResults } from '../results/save-results.js';
import type { CheckResult, TableQualityResult } from '../results/table-quality-result.js';
import type { SeriesValue } from '../spc/series-value.js';
import { erroredCheck, inspectWithFallback } from './inspect-with-fallback.js';
import { isKnownWithoutScan, readLiveRows, scanLimitExceeded } from './live-rows.js';
import type { QualityServices } from './quality-services.js';

/** If a concurrent merge deletes a file during a check, the check starts again with the current files. */
const MAX_LISTINGS = 3;

/** These checks can change their outcome without new rows. */
const TIME_DEPENDENT_CHECKS: ReadonlySet<QualityCheck> = new Set(['freshness']);

interface MonitorSnapshot {
  readonly contract: Lean<TableContract>;
  readonly rows: InspectedRows;
  readonly runId: string;
  /** Whether the latest run has no result yet. */
  readonly isNew: boolean;
  readonly last: Lean<TableQualityResult> | undefined;
  /** The latest result that precedes all results of the latest run. */
  readonly before: Lean<TableQualityResult> | undefined;
  readonly now: Date;
}

/**
 * Checks a table:
 * - After a new run of the tap: runs all checks, and saves the result under the id of that run.
 * - Without a new run, after a change to the contract: repeats all checks.
 * - Otherwise: repeats only the time-dependent checks and the checks that could not run.
 *
 * Saves the result of a repetition only if a status or the contract has changed. Such a result has a new run id and no
 * points. If several processes check the table, only one of them saves the result.
 */
export async function monitorTable(services: QualityServices, data: TableJobData, job: RunningJob): Promise<void> {
  for (let listings = 1; ; listings++) {
    try {
      return await monitorOnce(services, data, job);
    } catch (error) {
      if (!(error instanceof FileNotFoundError) || listings === MAX_LISTINGS) throw error;
    }
  }
}

async function monitorOnce(services: QualityServices, data: TableJobData, job: RunningJob): Promise<void> {
  const inWorkspace = <Result>(work: (tx: TenantTransaction) => Promise<Result>): Promise<Result> =>
    runTenantTransaction(services.em, services.tables, data.tenantId, work);
  const snapshot = await inWorkspace((tx) => readSnapshot(services, tx, data));
  if (!snapshot) return;
  const { contract, rows, isNew, last, now, runId } = snapshot;
  const carriedOver = isNew ? [] : carryOverChecks(snapshot);
  const carriedKeys = new Set(carriedOver.map(({ key }) => key));
  const limitExceeded = scanLimitExceeded(rows);
  const canRun = limitExceeded === undefined ? () => true : isKnownWithoutScan(rows, contract);
  const dueRules = contract.rules.filter((rule) => !carriedKeys.has(ruleKeyOf(rule)));
  const due = { rules: dueRules.filter(canRun), series: isNew ? contract.series.filter(canRun) : [] };
  const expected = overrideRow(contract, due);
  const previous = previousOf(snapshot);
  const found = await inspectWithFallback(services, {
    ...{ rows: limitExceeded === undefined ? rows : { ...rows, areChanges: false }, expected, previous, now },
    ...{ signal: job.signal, attempt: job.attempt, reportId: job.id },
  });
  job.signal.throwIfAborted();
  const notRun = dueRules.filter((rule) => !canRun(rule)).map((rule) => erroredCheck(rule, limitExceeded as string));
  const checks = inRuleOrder(contract.rules, [...carriedOver, ...found.checks, ...notRun]);
  if (!isNew && last && !isEdited(contract, last) && hasSameStatuses(checks, last.checks)) return;
  const measures = { ...(isNew ? found : last)?.measures, contractVersion: contract.version } as RunMeasures;
  await inWorkspace(async (tx) => {
    if (!(await isStillCurrent(tx, snapshot))) return;
    const values = isNew ? found.values : new Map<string, SeriesValue>();
    const run = { runId, lifecycle: 'monitor', checks, values, measures } as const;
    await saveResults(tx, contract.id, run);
  });
}

/**
 * Enqueues the next monitoring job, deletes old results, and reads the data for the check. Returns undefined if there
 * is nothing to check, or if the check is not due yet.
 */
async function readSnapshot(
  { jobs }: QualityServices,
  { em, read }: TenantTransaction,
  data: TableJobData,
): Promise<MonitorSnapshot | undefined> {
  const table = await read.byId(CatalogTable, data.tableId);
  const tap = table && (await read.byId(TenantConnectorTap, table.tap));
  if (!table || !tap || tap.deletedAt) return undefined;
  await enqueueNextMonitoring(jobs, em, data);
  const [ofTap, contract] = [await findContract(read, table.id, 'tap'), await findContract(read, table.id, 'data')];
  if (!ofTap || !contract) return undefined;
  await pruneResults(em, data.tenantId, [ofTap.id, contract.id]);
  // Reads the run before the files. Rows that are committed between the two reads are in this check, and their run
  // causes another check. In the opposite order, a check could miss these rows.
  const [run, last] = await Promise.all([findLatestMeasured(read, ofTap.id), findLatestMeasured(read, contract.id)]);
  if (!run) return undefined;
  const now = new Date();
  if (!(await hasMeasuredResult(read, contract.id, run.runId)))
    return { contract, rows: await readLiveRows(read, table), runId: run.runId, isNew: true, last, before: last, now };
  if (last && isRecent(last, now) && !isEdited(contract, last)) return undefined;
  const before = await findMeasuredBefore(read, contract.id, run.runId);
  return { contract, rows: await readLiveRows(read, table), runId: newId(), isNew: false, last, before, now };
}

/** Locks the contract. Returns false if another process has saved a result since the snapshot. */
async function isStillCurrent(
  tx: TenantTransaction,
  { contract, runId, isNew, last }: MonitorSnapshot,
): Promise<boolean> {
  await lockContract(tx, contract);
  if (isNew) return !(await hasMeasuredResult(tx.read, contract.id, runId));
  return (await findLatestMeasured(tx.read, contract.id))?.id === last?.id;
}

/**
 * From the latest result, returns the checks that remain valid without new rows. Returns an empty list if the contract
 * has changed since that result.
 */
function carryOverChecks({ contract, last }: MonitorSnapshot): readonly CheckResult[] {
  if (!last || isEdited(contract, last)) return [];
  const timeDependent = timeDependentKeys(contract);
  return last.checks.filter(({ key, status }) => status !== 'ERROR' && !timeDependent.has(key));
}

/** Time-dependent checks come from `last`, all other checks from `before`. */
function previousOf({ contract, last, before }: MonitorSnapshot): PreviousRun {
  const timeDependent = timeDependentKeys(contract);
  const checks = [...(before?.checks ?? []), ...(last?.checks.filter(({ key }) => timeDependent.has(key)) ?? [])];
  return { checks, measures: before?.measures };
}

function timeDependentKeys({ rules }: Lean<TableContract>): ReadonlySet<string> {
  return new Set(rules.filter(({ type }) => TIME_DEPENDENT_CHECKS.has(type)).map(ruleKeyOf));
}

function hasSameStatuses(checks: readonly CheckResult[], before: readonly CheckResult[]): boolean {
  const known = new Map(before.map(({ key, status }) => [key, status]));
  return checks.length === before.length && checks.every(({ key, status }) => known.get(key) === status);
}

function isRecent({ capturedAt }: Lean<TableQualityResult>, now: Date): boolean {
  return now.getTime() - Date.parse(capturedAt) < (MONITOR_INTERVAL_SECONDS / 2) * 1_000;
}

function isEdited({ version }: Lean<TableContract>, { measures }: Lean<TableQualityResult>): boolean {
  return measures?.contractVersion !== version;
}

function inRuleOrder(rules: readonly ContractRule[], checks: readonly CheckResult[]): CheckResult[] {
  const byKey = new Map(checks.map((check) => [check.key, check]));
  return rules.flatMap((rule) => byKey.get(ruleKeyOf(rule)) ?? []);
}
