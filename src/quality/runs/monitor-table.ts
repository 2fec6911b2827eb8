import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { FileNotFoundError } from '../../kernel/files/file-store.js';
import { newId } from '../../kernel/ids.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
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
import { erroredCheck, inspectWithFallback } from './inspect-with-fallback.js';
import { isKnownWithoutScan, readLiveRows, scanLimitExceeded } from './live-rows.js';
import type { QualityServices } from './quality-services.js';

/** How often the list of the files is read again where one of them was replaced meanwhile, and cleared away. */
const MAX_LISTINGS = 3;

/** What is asked again though nothing happened. */
const TIME_DEPENDENT_CHECKS: ReadonlySet<QualityCheck> = new Set(['freshness']);

/** What a look goes by. */
interface MonitorSnapshot {
  readonly contract: Lean<TableContract>;
  readonly rows: InspectedRows;
  readonly runId: string;
  /** Whether rows came in that nobody has looked at. */
  readonly isNew: boolean;
  /** The latest look. */
  readonly last: Lean<TableQualityResult> | undefined;
  /** The latest one at the rows of another run. */
  readonly before: Lean<TableQualityResult> | undefined;
  readonly now: Date;
}

/**
 * Looks at a whole table after a run of its tap, once however many processes try, and keeps the result under the id of that run. Where there was no run since,
 * it only asks again for what the time changes, and keeps a result, with an id of its own and no points, where a check comes out otherwise. Plans the next look,
 * unless the tap was deleted.
 */
export async function monitorTable(parts: QualityServices, data: TableJobData, job: RunningJob): Promise<void> {
  for (let lists = 1; ; lists++) {
    try {
      return await monitorOnce(parts, data, job);
    } catch (error) {
      if (!(error instanceof FileNotFoundError) || lists === MAX_LISTINGS) throw error;
    }
  }
}

async function monitorOnce(parts: QualityServices, data: TableJobData, job: RunningJob): Promise<void> {
  const inWorkspace = <Result>(work: (tx: TenantTransaction) => Promise<Result>): Promise<Result> =>
    runTenantTransaction(parts.em, parts.tables, data.tenantId, work);
  const view = await inWorkspace((tx) => readSnapshot(parts, tx, data));
  if (!view) return;
  const { contract, rows, isNew, last, now, runId } = view;
  const carried = isNew ? [] : carryOverChecks(view);
  const told = new Set(carried.map(({ key }) => key));
  const unread = scanLimitExceeded(rows);
  const isSeen = unread === undefined ? () => true : isKnownWithoutScan(rows, contract);
  const open = contract.rules.filter((rule) => !told.has(ruleKeyOf(rule)));
  const expected = { ...contract, rules: open.filter(isSeen), series: isNew ? contract.series.filter(isSeen) : [] };
  const previous = previousOf(view);
  const found = await inspectWithFallback(parts, {
    ...{ rows, expected, previous, now, signal: job.signal, attempt: job.attempt, reportId: job.id },
  });
  job.signal.throwIfAborted();
  const unseen = open.filter((rule) => !isSeen(rule)).map((rule) => erroredCheck(rule, unread as string));
  const checks = inRuleOrder(contract.rules, [...carried, ...found.checks, ...unseen]);
  if (!isNew && last && !isEdited(contract, last) && hasSameStatuses(checks, last.checks)) return;
  const measures = { ...(isNew ? found : last)?.measures, contractVersion: contract.version } as RunMeasures;
  await inWorkspace(async (tx) => {
    if (!(await isStillCurrent(tx, view))) return;
    const values = isNew ? found.values : new Map<string, number>();
    const run = { runId, lifecycle: 'monitor', checks, values, measures } as const;
    await saveResults(tx, contract.id, run);
  });
}

/** Undefined where there is nothing to look at, or nothing yet. */
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
  // The run before the files: what comes in between is looked at too early rather than never.
  const run = await findLatestMeasured(read, ofTap.id);
  if (!run) return undefined;
  const now = new Date();
  const last = await findLatestMeasured(read, contract.id);
  if (!(await hasMeasuredResult(read, contract.id, run.runId)))
    return { contract, rows: await readLiveRows(read, table), runId: run.runId, isNew: true, last, before: last, now };
  if (last && isRecent(last, now) && !isEdited(contract, last)) return undefined;
  const before = await findMeasuredBefore(read, contract.id, run.runId);
  return { contract, rows: await readLiveRows(read, table), runId: newId(), isNew: false, last, before, now };
}

/** Somebody else who looked at the same may have been faster. */
async function isStillCurrent(
  tx: TenantTransaction,
  { contract, runId, isNew, last }: MonitorSnapshot,
): Promise<boolean> {
  await lockContract(tx, contract);
  if (isNew) return !(await hasMeasuredResult(tx.read, contract.id, runId));
  return (await findLatestMeasured(tx.read, contract.id))?.id === last?.id;
}

/** Of a table that nothing happened to: what was found, but for what the time changes. What was compared with the run before stays as it was then. */
function carryOverChecks({ contract, last }: MonitorSnapshot): readonly CheckResult[] {
  if (!last || isEdited(contract, last)) return [];
  const timely = timeDependentKeys(contract);
  return last.checks.filter(({ key, status }) => status !== 'ERROR' && !timely.has(key));
}

/** What a look is compared with: rows with those of another run, and what the time changes with the look before. */
function previousOf({ contract, last, before }: MonitorSnapshot): PreviousRun {
  const timely = timeDependentKeys(contract);
  const checks = [...(before?.checks ?? []), ...(last?.checks.filter(({ key }) => timely.has(key)) ?? [])];
  return { checks, measures: before?.measures };
}

/** The keys of rules that come out otherwise with nothing but the time. */
function timeDependentKeys({ rules }: Lean<TableContract>): ReadonlySet<string> {
  return new Set(rules.filter(({ type }) => TIME_DEPENDENT_CHECKS.has(type)).map(ruleKeyOf));
}

/** Whether each check comes out as it did. */
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
