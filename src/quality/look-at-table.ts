import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { FileMissing } from '../kernel/file-store.js';
import { decodeId, newId } from '../kernel/ids.js';
import type { RunningJob } from '../kernel/job-queue.js';
import type { Lean, Reader } from '../kernel/reading.js';
import { inTenant, type Transaction } from '../kernel/transaction.js';
import { CatalogTable } from '../tables/catalog-table.js';
import type { TableJobData } from '../tables/table-cleanup-job.js';
import { forgetResults } from './forget-results.js';
import type { InspectedRows } from './inspect-rows.js';
import { holdContract, keepResults } from './keep-results.js';
import { isKnownUnread, liveRows, tooMuch } from './live-rows.js';
import { findContract } from './open-contracts.js';
import type { QualityCheck } from './quality-check.js';
import type { QualityParts } from './quality-context.js';
import { ruleKeyOf } from './series-key.js';
import type { ContractRule, TableContract } from './table-contract.js';
import { BETWEEN_LOOKS, planNextLook } from './table-quality-job.js';
import { type CheckResult, TableQualityResult } from './table-quality-result.js';
import { errorOf, tryInspection } from './try-inspection.js';
import { latestMeasured } from './watch-arrivals.js';

/** How often the list of the files is read again where one of them was replaced meanwhile, and cleared away. */
const MOST_LISTS = 3;

/** Checks that come out otherwise with nothing but the time. */
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
  readonly now: Date;
}

/**
 * Looks at a whole table after a run of its tap, once however many processes try, and keeps the result under the id of that run. Where there was no run since,
 * the result has an id of its own and no points, and only says again what the time changes. Plans the next look, unless the tap was deleted.
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
  const isSeen = unread === undefined ? () => true : isKnownUnread(contract);
  const open = contract.rules.filter((rule) => !told.has(ruleKeyOf(rule)));
  const expected = { ...contract, rules: open.filter(isSeen), series: isNew ? contract.series.filter(isSeen) : [] };
  const previous = isNew || carried.length > 0 ? last : undefined;
  const found = await tryInspection(parts, {
    ...{ rows, expected, previous, now, attempt: job.attempt, reportId: job.id },
  });
  job.signal.throwIfAborted();
  const unseen = open.filter((rule) => !isSeen(rule)).map((rule) => errorOf(rule, unread as string));
  const checks = inOrder(contract.rules, [...carried, ...found.checks, ...unseen]);
  const measures = isNew || !last?.measures ? found.measures : last.measures;
  await inWorkspace(async (tx) => {
    if (!(await isStillToKeep(tx, view))) return;
    const values = isNew ? found.values : new Map<string, number>();
    const run = { runId, capturedAt: now, lifecycle: 'monitor', checks, values, measures } as const;
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
  if (await hasResult(read, contract.id, run.runId)) {
    if (last && isRecent(last, now) && !isEdited(contract, last)) return undefined;
    return { contract, rows: await liveRows(read, table), runId: newId(), isNew: false, last, now };
  }
  return { contract, rows: await liveRows(read, table), runId: run.runId, isNew: true, last, now };
}

/** Somebody else who looked at the same may have been faster. */
async function isStillToKeep(tx: Transaction, { contract, runId, isNew, last }: View): Promise<boolean> {
  await holdContract(tx, contract);
  if (isNew) return !(await hasResult(tx.read, contract.id, runId));
  return (await latestMeasured(tx.read, contract.id))?.id === last?.id;
}

async function hasResult(read: Reader, contractId: string, runId: string): Promise<boolean> {
  const where = 'contract_id = $1 and run_id = $2';
  return (await read.count(TableQualityResult, where, [decodeId(contractId), runId])) > 0;
}

/** Of a table that nothing happened to: what was found, but for what the time changes. What was compared with the run before stays as it was then. */
function carriedOver({ contract, last }: View): readonly CheckResult[] {
  if (!last || isEdited(contract, last)) return [];
  const timely = new Set(contract.rules.filter(({ type }) => BY_TIME.has(type)).map(ruleKeyOf));
  return last.checks.filter(({ key, status }) => status !== 'ERROR' && !timely.has(key));
}

function isRecent({ capturedAt }: Lean<TableQualityResult>, now: Date): boolean {
  return now.getTime() - Date.parse(capturedAt) < (BETWEEN_LOOKS / 2) * 1_000;
}

function isEdited({ updatedAt }: Lean<TableContract>, { capturedAt }: Lean<TableQualityResult>): boolean {
  return Date.parse(updatedAt) > Date.parse(capturedAt);
}

function inOrder(rules: readonly ContractRule[], checks: readonly CheckResult[]): CheckResult[] {
  const byKey = new Map(checks.map((check) => [check.key, check]));
  return rules.flatMap((rule) => byKey.get(ruleKeyOf(rule)) ?? []);
}
