import { deferPrepared, executePrepared } from '../../kernel/execute-prepared.js';
import { decodeId, newId } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { type QualityLifecycle, worstCheckStatus } from '../contracts/quality-check.js';
import { ruleKeyOf } from '../contracts/series-key.js';
import { worstSpcStatus } from '../contracts/spc-rule.js';
import { TableContract } from '../contracts/table-contract.js';
import type { SeriesValue } from '../spc/series-value.js';
import { evaluateRunSeries, type RunKey } from './evaluate-run-series.js';
import { redactChecks, redactMeans } from './redact-values.js';
import type { RunMeasures } from './run-measures.js';
import { toStorableJson } from './storable-json.js';
import type { CheckResult } from './table-quality-result.js';
import { updateDegraded } from './update-degraded.js';

export interface RunOutcome {
  /** At most 200 characters. A second result with the same id replaces the first. */
  readonly runId: string;
  /**
   * A time in the future becomes the current time. Defaults to the current time or, if a result of the contract has a
   * later time, to a time after that result.
   */
  readonly capturedAt?: Date | undefined;
  readonly lifecycle: QualityLifecycle;
  /**
   * If a reported run has no checks, the service stores no quality result, because an empty result would hide the
   * latest result.
   */
  readonly checks: readonly CheckResult[];
  /** Points by series key. Empty if a gate rejected the rows, or if the table has no new rows. */
  readonly values: ReadonlyMap<string, SeriesValue>;
  /** Undefined if a gate rejected the rows, and for a reported run. */
  readonly measures?: RunMeasures | undefined;
}

/** Locks a contract, so that the evaluation of each result includes all earlier points. */
const LOCK_CONTRACT = 'select version from table_contract where tenant_id = ? and id = ? for no key update';

/** Reads the clock of the database after the lock, so that the times have the same order as the results. */
const SELECT_CAPTURED_AT = `
select cast(case when given.time is null then greatest(clock_timestamp(), latest.time + interval '1 millisecond')
  else least(given.time, clock_timestamp()) end as timestamptz(3))::text as time
from (select cast(? as timestamptz) as time) given,
  (select greatest(
    (select max(captured_at) from table_quality_result where tenant_id = c.tenant_id and contract_id = c.id),
    (select max(captured_at) from table_spc_result where tenant_id = c.tenant_id and contract_id = c.id)
  ) as time from table_contract c where c.tenant_id = ? and c.id = ?) latest`;

const OF_RUN = 'where tenant_id = ? and contract_id = ? and run_id = ? and is_reported = ?';
const DELETE_SPC_RESULT = `delete from table_spc_result ${OF_RUN}`;
const DELETE_QUALITY_RESULT = `delete from table_quality_result ${OF_RUN}`;

const UPSERT_SPC_RESULT = `
insert into table_spc_result (id, tenant_id, contract_id, run_id, is_reported, captured_at, overall_status, window_size, series)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (tenant_id, contract_id, run_id, is_reported) do update set id = excluded.id, captured_at = excluded.captured_at,
  overall_status = excluded.overall_status, window_size = excluded.window_size, series = excluded.series`;

const UPSERT_QUALITY_RESULT = `
insert into table_quality_result (id, tenant_id, contract_id, run_id, is_reported, captured_at, overall_status, is_degraded, lifecycle, checks, measures)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (tenant_id, contract_id, run_id, is_reported) do update set id = excluded.id, captured_at = excluded.captured_at,
  overall_status = excluded.overall_status, is_degraded = excluded.is_degraded, lifecycle = excluded.lifecycle, checks = excluded.checks, measures = excluded.measures`;

function isReported({ lifecycle }: Pick<RunOutcome, 'lifecycle'>): boolean {
  return lifecycle === 'transform';
}

/**
 * Saves the results and updates the degraded marks. Replaces earlier results of the same run. Does nothing if the
 * contract no longer exists.
 */
export async function saveResults(tx: TenantTransaction, contractId: string, found: RunOutcome): Promise<void> {
  const known = await tx.read.byId(TableContract, contractId);
  if (!known) return;
  const [contract, run] = await Promise.all([lockContract(tx, known), runKeyOf(tx, known, found)]);
  const checks = isReported(found) ? found.checks : redactChecks(found.checks, contract);
  const values = redactMeans(found.values, contract);
  if (values.size > 0) {
    const id = decodeId(newId());
    const series = await evaluateRunSeries(tx, contract, values, [...run, id]);
    const overall = worstSpcStatus(series.map(({ status }) => status));
    await deferPrepared(tx.em, UPSERT_SPC_RESULT, [id, ...run, overall, contract.windowSize, toStorableJson(series)]);
  } else await deferPrepared(tx.em, DELETE_SPC_RESULT, run.slice(0, -1));
  if (isReported(found) && checks.length === 0) await deferPrepared(tx.em, DELETE_QUALITY_RESULT, run.slice(0, -1));
  else await saveQualityResult(tx, contract, { ...found, checks }, run);
  await updateDegraded(tx, contract);
}

async function saveQualityResult(
  tx: TenantTransaction,
  contract: Lean<TableContract>,
  { lifecycle, checks, measures }: RunOutcome,
  run: RunKey,
): Promise<void> {
  const overall = worstCheckStatus(checks.map(({ status }) => status));
  // A user may have removed a rule since the service checked the rows.
  const currentRules = new Set(contract.rules.map(ruleKeyOf));
  const isDegraded = checks.some(
    ({ status, spec, key }) =>
      status === 'FAIL' && spec.gate === 'GATE_2' && (isReported({ lifecycle }) || currentRules.has(key)),
  );
  const result = [overall, isDegraded, lifecycle, toStorableJson(checks), measures ? toStorableJson(measures) : null];
  await deferPrepared(tx.em, UPSERT_QUALITY_RESULT, [decodeId(newId()), ...run, ...result]);
}

/** Locks the contract until the end of the transaction. Reads the contract again if it has changed. */
export async function lockContract(
  { em, read }: TenantTransaction,
  known: Lean<TableContract>,
): Promise<Lean<TableContract>> {
  const { tenantId, id, version } = known;
  const [current] = await executePrepared<{ version: number }>(em, LOCK_CONTRACT, [decodeId(tenantId), decodeId(id)]);
  if (current?.version === version) return known;
  read.clear();
  return (await read.byId(TableContract, id)) ?? known;
}

async function runKeyOf(
  { em }: TenantTransaction,
  { tenantId, id }: Lean<TableContract>,
  { runId, capturedAt, lifecycle }: RunOutcome,
): Promise<RunKey> {
  const contract = [decodeId(tenantId), decodeId(id)] as const;
  const [row]: { time: string }[] = await executePrepared(em, SELECT_CAPTURED_AT, [capturedAt ?? null, ...contract]);
  return [...contract, runId, isReported({ lifecycle }), row?.time as string];
}
