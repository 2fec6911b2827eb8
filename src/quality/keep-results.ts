import { decodeId, newId } from '../kernel/ids.js';
import type { Lean } from '../kernel/reading.js';
import type { Transaction } from '../kernel/transaction.js';
import { evaluateSeries } from './evaluate-series.js';
import { keepDegraded } from './keep-degraded.js';
import type { RunMeasures } from './measures.js';
import { type QualityLifecycle, worstCheckStatus } from './quality-check.js';
import { historyLength } from './read-level.js';
import { kindOfSeries, seriesIdOf } from './series-key.js';
import { worstSpcStatus } from './spc-rule.js';
import { TableContract } from './table-contract.js';
import type { CheckResult } from './table-quality-result.js';
import { type SpcSeries, TableSpcResult } from './table-spc-result.js';

/** What a run has come to, by one contract. */
export interface RunFindings {
  /** At most 200 characters. A second result of the same run replaces the first. */
  readonly runId: string;
  readonly capturedAt: Date;
  readonly lifecycle: QualityLifecycle;
  readonly checks: readonly CheckResult[];
  /** Points of its series by their keys; none where its rows did not become part of the table. */
  readonly values: ReadonlyMap<string, number>;
  /** Missing where its rows did not become part of the table. */
  readonly measures?: RunMeasures | undefined;
}

/** Results of one contract wait for each other, so that each has all points before it. */
const LOCK = 'select from table_contract where tenant_id = ? and id = ? for no key update';

const SPC = `
insert into table_spc_result (id, tenant_id, contract_id, run_id, is_reported, captured_at, overall_status, window_size, series)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (tenant_id, contract_id, run_id, is_reported) do update set id = excluded.id, captured_at = excluded.captured_at,
  overall_status = excluded.overall_status, window_size = excluded.window_size, series = excluded.series`;

const QUALITY = `
insert into table_quality_result (id, tenant_id, contract_id, run_id, is_reported, captured_at, overall_status, is_degraded, lifecycle, checks, measures)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (tenant_id, contract_id, run_id, is_reported) do update set id = excluded.id, captured_at = excluded.captured_at,
  overall_status = excluded.overall_status, is_degraded = excluded.is_degraded, lifecycle = excluded.lifecycle, checks = excluded.checks, measures = excluded.measures`;

/** Keeps the results of a run by one contract, in a transaction of the workspace: points of its series are weighed against those before them. */
export async function keepResults(tx: Transaction, contractId: string, found: RunFindings): Promise<void> {
  const contract = await lockContract(tx, contractId);
  if (!contract) return;
  const { runId, capturedAt, checks, values, lifecycle, measures } = found;
  const run = [decodeId(contract.tenantId), decodeId(contractId), runId, lifecycle === 'transform', capturedAt];
  if (values.size > 0) {
    const series = await seriesOf(tx, contract, found);
    const overall = worstSpcStatus(series.map(({ status }) => status));
    const result = [overall, contract.windowSize, JSON.stringify(series)];
    await tx.em.execute(SPC, [decodeId(newId()), ...run, ...result]);
  }
  const overall = worstCheckStatus(checks.map(({ status }) => status));
  const isDegraded = checks.some(({ status, spec }) => status === 'FAIL' && spec.gate === 'GATE_2');
  const result = [overall, isDegraded, lifecycle, JSON.stringify(checks), measures ? JSON.stringify(measures) : null];
  await tx.em.execute(QUALITY, [decodeId(newId()), ...run, ...result]);
  await keepDegraded(tx, contract);
}

async function lockContract(tx: Transaction, id: string): Promise<Lean<TableContract> | undefined> {
  const contract = await tx.read.byId(TableContract, id);
  if (contract) await holdContract(tx, contract);
  return contract;
}

/** Whoever else keeps results of it waits until the end of the transaction. */
export async function holdContract(
  { em }: Transaction,
  { tenantId, id }: Pick<Lean<TableContract>, 'tenantId' | 'id'>,
): Promise<void> {
  await em.execute(LOCK, [decodeId(tenantId), decodeId(id)]);
}

async function seriesOf(
  { read }: Transaction,
  contract: Lean<TableContract>,
  { runId, capturedAt, values }: RunFindings,
): Promise<SpcSeries[]> {
  const where = 'contract_id = $1 and run_id <> $2 and captured_at <= $3';
  const page = { where, limit: historyLength(contract.windowSize) };
  const before = await read.select(TableSpcResult, page, [decodeId(contract.id), runId, capturedAt]);
  const points = before.reverse().flatMap(({ series }) => series);
  return [...values].map(([key, value]): SpcSeries => {
    const seriesId = seriesIdOf(contract.id, key);
    const history = points.filter((point) => point.seriesId === seriesId);
    const known = history.map(({ latestValue, beyond }) => ({ value: latestValue, beyond }));
    return { seriesId, seriesKind: kindOfSeries(key), ...evaluateSeries(known, value, contract) };
  });
}
