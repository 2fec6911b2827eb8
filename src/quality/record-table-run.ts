import { decodeId } from '../kernel/ids.js';
import type { Jobs } from '../kernel/jobs.js';
import type { Lean, Reader } from '../kernel/reading.js';
import { readTable } from '../tables/existing-table.js';
import type { TableContext } from '../tables/table-context.js';
import type { TableSchema } from '../tables/table-schema.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { checkSeries, limitSeries } from './check-contract.js';
import { ColumnKnowledge, refuse, requireDifferent } from './column-knowledge.js';
import { holdContract, keepResults } from './keep-results.js';
import { shownResult } from './latest-results.js';
import { findContract, openContracts, readTapFacts } from './open-contracts.js';
import { reportedCheck } from './reported-check.js';
import { showsSensitive } from './sensitive-values.js';
import { keyOf, seriesKeyOf } from './series-key.js';
import { type ContractSeries, TableContract } from './table-contract.js';
import { TableQualityResult } from './table-quality-result.js';
import type { RunValueInput, TableRunInput } from './table-run.inputs.js';

/** Clocks differ, but not by more milliseconds. */
const MOST_AHEAD = 60_000;

/** Before the first of any such job. */
const EARLIEST = new Date('2000-01-01T00:00:00Z');

/** Keeps what a job has made of a table, by the contract on the whole table, and answers the result of its checks, where it brings any. Throws BAD_REQUEST and NOT_FOUND. */
export async function recordTableRun(
  { read, write, landed }: TableContext,
  input: TableRunInput,
): Promise<Lean<TableQualityResult> | undefined> {
  const contract = await write((tx) => keepRun(tx, landed.jobs, input));
  return findResult(read, contract, input.runId);
}

async function keepRun(tx: WorkspaceTransaction, jobs: Jobs, input: TableRunInput): Promise<Lean<TableContract>> {
  const { tableId, runId, values, checks } = input;
  const { schema } = await readTable(tx.read, tableId);
  // Held before its sensitive columns are read: one that becomes sensitive meanwhile would be shown.
  const contract = await holdContract(tx, await openContract(tx, jobs, tableId, schema));
  if (values.length + checks.length === 0) refuse('values', 'there are none, and no checks either');
  const columns = new ColumnKnowledge(contract.schema, schema);
  const series = values.map(seriesOf);
  for (const [at, one] of series.entries()) {
    checkSeries(`values[${at}]`, one, columns);
    if (showsSensitive(one, contract)) refuse(`values[${at}].column`, `is sensitive, and ${one.kind} tells its values`);
  }
  requireDifferent('values', series, seriesKeyOf);
  limitSeries('values', series, contract);
  requireDifferent('checks', checks, ({ id, column }) => keyOf(id, column));
  await keepResults(tx, contract.id, {
    ...{ runId, lifecycle: 'transform', capturedAt: capturedAtOf(input) },
    checks: checks.map((check, at) => reportedCheck(`checks[${at}]`, check, contract)),
    values: new Map(series.map((one, at) => [seriesKeyOf(one), values[at]?.value as number])),
  });
  const object = await tx.em.findOneOrFail(TableContract, { id: contract.id });
  tx.record('table_run.recorded', object, { tableId, runId });
  return contract;
}

/** That on the whole table, which tables that are older than contracts lack. */
async function openContract(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  tableId: string,
  schema: TableSchema,
): Promise<Lean<TableContract>> {
  const known = await findContract(tx.read, tableId, 'data');
  if (known) return known;
  const facts = await readTapFacts(tx.read, tableId, schema);
  await openContracts(tx, { tenantId: tx.caller.tenantId, tableId }, facts, jobs);
  tx.read.forget();
  return (await findContract(tx.read, tableId, 'data')) as Lean<TableContract>;
}

function seriesOf({ kind, column }: RunValueInput): ContractSeries {
  return { kind, ...(column != null && { column }) };
}

function capturedAtOf({ capturedAt }: TableRunInput): Date | undefined {
  if (!capturedAt) return undefined;
  if (capturedAt.getTime() > Date.now() + MOST_AHEAD) refuse('capturedAt', 'lies ahead');
  if (capturedAt < EARLIEST) refuse('capturedAt', 'must be 2000-01-01 or later');
  return capturedAt;
}

async function findResult(
  read: Reader,
  { id, scope }: Lean<TableContract>,
  runId: string,
): Promise<Lean<TableQualityResult> | undefined> {
  const ofRun = { where: 'contract_id = $1 and run_id = $2 and is_reported', limit: 1 };
  const [result] = await read.select(TableQualityResult, ofRun, [decodeId(id), runId]);
  return result && shownResult(result, scope);
}
