import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { FileMissing } from '../kernel/file-store.js';
import { newId } from '../kernel/ids.js';
import type { RunningJob } from '../kernel/job-queue.js';
import type { Lean } from '../kernel/reading.js';
import { inTenant, type Transaction } from '../kernel/transaction.js';
import { CatalogTable } from '../tables/catalog-table.js';
import type { TableJobData } from '../tables/table-cleanup-job.js';
import { forgetResults } from './forget-results.js';
import type { InspectedRows, PreviousRun } from './inspection.js';
import { holdContract, keepResults } from './keep-results.js';
import { isMeasured, latestMeasured, measuredBefore } from './latest-measured.js';
import { isKnownUnread, liveRows, tooMuch } from './live-rows.js';
import type { RunMeasures } from './measures.js';
import { findContract } from './open-contracts.js';
import type { QualityCheck } from './quality-check.js';
import type { QualityParts } from './quality-context.js';
import { ruleKeyOf } from './series-key.js';
import type { ContractRule, TableContract } from './table-contract.js';
import { BETWEEN_LOOKS, planNextLook } from './table-quality-job.js';
import type { CheckResult, TableQualityResult } from './table-quality-result.js';
import { errorOf, tryInspection } from './try-inspection.js';

/** How often the list of the files is read again where one of them was replaced meanwhile, and cleared away. */
const MOST_LISTS = 3;

/** What is asked again though nothing happened. */
const BY_TIME: ReadonlySet<QualityCheck> = new Set(['freshness']);

/** What a look goes by. */
interface View {
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
export async function lookAtTable(parts: QualityParts, data: TableJobData, job: RunningJob): Promise<void> {
  for (let lists = 1; ; lists++) {
    try {
      return await look(parts, data, job);
    } catch (error) {
      if (!(error instanceof FileMissing) || lists === MOST_LISTS) throw error;
    }
  }
}

async function look(parts: QualityParts, data: TableJobData, job: RunningJob): Promise<void> {
  const inWorkspace = <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
    inTenant(parts.em, parts.tables, data.tenantId, work);
  const view = await inWorkspace((tx) => readView(parts, tx, data));
  if (!view) return;
  const { contract, rows, isNew, last, now, runId } = view;
  const carried = isNew ? [] : carriedOver(view);
  const told = new Set(carried.map(({ key }) => key));
  const unread = tooMuch(rows);
  const isSeen = unread === undefined ? () => true : isKnownUnread(rows, contract);
  const open = contract.rules.filter((rule) => !told.has(ruleKeyOf(rule)));
  const expected = { ...contract, rules: open.filter(isSeen), series: isNew ? contract.series.filter(isSeen) : [] };
  const previous = previousOf(view);
  const found = await tryInspection(parts, {
    ...{ rows, expected, previous, now, signal: job.signal, attempt: job.attempt, reportId: job.id },
  });
  job.signal.throwIfAborted();
  const unseen = open.filter((rule) => !isSeen(rule)).map((rule) => errorOf(rule, unread as string));
  const checks = inOrder(contract.rules, [...carried, ...found.checks, ...unseen]);
  if (!isNew && last && !isEdited(contract, last) && isSame(checks, last.checks)) return;
  const measures = { ...(isNew ? found : last)?.measures, contractVersion: contract.version } as RunMeasures;
  await inWorkspace(async (tx) => {
    if (!(await isStillToKeep(tx, view))) return;
    const values = isNew ? found.values : new Map<string, number>();
    const run = { runId, lifecycle: 'monitor', checks, values, measures } as const;
    await keepResults(tx, contract.id, run);
  });
}

/** Undefined where there is nothing to look at, or nothing yet. */
async function readView(
  { jobs }: QualityParts,
  { em, read }: Transaction,
  data: TableJobData,
): Promise<View | undefined> {
  const table = await read.byId(CatalogTable, data.tableId);
  const tap = table && (await read.byId(TenantConnectorTap, table.tap));
  if (!table || !tap || tap.deletedAt) return undefined;
  await planNextLook(jobs, em, data);
  const [ofTap, contract] = [await findContract(read, table.id, 'tap'), await findContract(read, table.id, 'data')];
  if (!ofTap || !contract) return undefined;
  await forgetResults(em, data.tenantId, [ofTap.id, contract.id]);
  // The run before the files: what comes in between is looked at too early rather than never.
  const run = await latestMeasured(read, ofTap.id);
  if (!run) return undefined;
  const now = new Date();
  const last = await latestMeasured(read, contract.id);
  if (!(await isMeasured(read, contract.id, run.runId)))
    return { contract, rows: await liveRows(read, table), runId: run.runId, isNew: true, last, before: last, now };
  if (last && isRecent(last, now) && !isEdited(contract, last)) return undefined;
  const before = await measuredBefore(read, contract.id, run.runId);
  return { contract, rows: await liveRows(read, table), runId: newId(), isNew: false, last, before, now };
}

/** Somebody else who looked at the same may have been faster. */
async function isStillToKeep(tx: Transaction, { contract, runId, isNew, last }: View): Promise<boolean> {
  await holdContract(tx, contract);
  if (isNew) return !(await isMeasured(tx.read, contract.id, runId));
  return (await latestMeasured(tx.read, contract.id))?.id === last?.id;
}

/** Of a table that nothing happened to: what was found, but for what the time changes. What was compared with the run before stays as it was then. */
function carriedOver({ contract, last }: View): readonly CheckResult[] {
  if (!last || isEdited(contract, last)) return [];
  const timely = timelyOf(contract);
  return last.checks.filter(({ key, status }) => status !== 'ERROR' && !timely.has(key));
}

/** What a look is compared with: rows with those of another run, and what the time changes with the look before. */
function previousOf({ contract, last, before }: View): PreviousRun {
  const timely = timelyOf(contract);
  const checks = [...(before?.checks ?? []), ...(last?.checks.filter(({ key }) => timely.has(key)) ?? [])];
  return { checks, measures: before?.measures };
}

/** The keys of rules that come out otherwise with nothing but the time. */
function timelyOf({ rules }: Lean<TableContract>): ReadonlySet<string> {
  return new Set(rules.filter(({ type }) => BY_TIME.has(type)).map(ruleKeyOf));
}

/** Whether each check comes out as it did. */
function isSame(checks: readonly CheckResult[], before: readonly CheckResult[]): boolean {
  const known = new Map(before.map(({ key, status }) => [key, status]));
  return checks.length === before.length && checks.every(({ key, status }) => known.get(key) === status);
}

function isRecent({ capturedAt }: Lean<TableQualityResult>, now: Date): boolean {
  return now.getTime() - Date.parse(capturedAt) < (BETWEEN_LOOKS / 2) * 1_000;
}

function isEdited({ version }: Lean<TableContract>, { measures }: Lean<TableQualityResult>): boolean {
  return measures?.contractVersion !== version;
}

function inOrder(rules: readonly ContractRule[], checks: readonly CheckResult[]): CheckResult[] {
  const byKey = new Map(checks.map((check) => [check.key, check]));
  return rules.flatMap((rule) => byKey.get(ruleKeyOf(rule)) ?? []);
}
