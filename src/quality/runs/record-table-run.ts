import { decodeId } from '../../kernel/ids.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { readCatalogTable } from '../../tables/existing-table.js';
import type { TableContext } from '../../tables/table-context.js';
import type { TableSchema } from '../../tables/table-schema.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { createContracts, findContract, readTapFacts } from '../contracts/create-contracts.js';
import { KnownColumns, rejectField, requireUnique } from '../contracts/known-columns.js';
import { revealsSensitiveValues } from '../contracts/sensitive-columns.js';
import { isShareKind, keyWithColumn, seriesKeyOf } from '../contracts/series-key.js';
import { type ContractSeries, TableContract } from '../contracts/table-contract.js';
import { validateSeries, validateSeriesCount } from '../contracts/validate-contract.js';
import { presentResult } from '../results/latest-results.js';
import { lockContract, saveResults } from '../results/save-results.js';
import { TableQualityResult } from '../results/table-quality-result.js';
import type { SeriesValue } from '../spc/series-value.js';
import { toReportedCheck } from './reported-check.js';
import type { RunValueInput, TableRunInput } from './table-run.inputs.js';

const MAX_CLOCK_SKEW_MS = 60_000;

const EARLIEST_CAPTURED_AT = new Date('2000-01-01T00:00:00Z');

/** Returns undefined if the report has no checks. Throws BAD_REQUEST and NOT_FOUND. */
export async function recordTableRun(
  { read, write, tableServices }: TableContext,
  input: TableRunInput,
): Promise<Lean<TableQualityResult> | undefined> {
  const contract = await write((tx) => saveRun(tx, tableServices.jobs, input));
  return readReportedResult(read, contract, input.runId);
}

async function saveRun(tx: WorkspaceTransaction, jobs: Jobs, input: TableRunInput): Promise<Lean<TableContract>> {
  const { tableId, runId, values, checks } = input;
  const { schema } = await readCatalogTable(tx.read, tableId);
  // Locks the contract before the comparison with its sensitive columns, so that no column becomes sensitive until the
  // results are saved.
  const contract = await lockContract(tx, await ensureContract(tx, jobs, tableId, schema));
  if (values.length + checks.length === 0) rejectField('values', 'must not be empty if checks is empty');
  const columns = new KnownColumns(contract.schema, schema);
  const series = values.map(seriesOf);
  for (const [at, one] of series.entries()) {
    validateSeries(`values[${at}]`, one, columns);
    if (revealsSensitiveValues(one, contract))
      rejectField(`values[${at}].column`, `is sensitive, and ${one.kind} would reveal its values`);
    validateSampleSize(`values[${at}]`, values[at] as RunValueInput);
  }
  requireUnique('values', series, 'kind and column', seriesKeyOf);
  validateSeriesCount('values', series, contract);
  requireUnique('checks', checks, 'id and column', ({ id, column }) => keyWithColumn(id, column));
  await saveResults(tx, contract.id, {
    ...{ runId, lifecycle: 'transform', capturedAt: capturedAtOf(input) },
    checks: checks.map((check, at) => toReportedCheck(`checks[${at}]`, check, contract)),
    values: new Map(values.map((one) => [seriesKeyOf(seriesOf(one)), toSeriesValue(one)])),
  });
  const object = await tx.em.findOneOrFail(TableContract, { id: contract.id });
  tx.recordAudit('table_run.recorded', object, { tableId, runId });
  return contract;
}

/** Earlier versions of the service created tables without contracts. */
async function ensureContract(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  tableId: string,
  schema: TableSchema,
): Promise<Lean<TableContract>> {
  const known = await findContract(tx.read, tableId, 'data');
  if (known) return known;
  const facts = await readTapFacts(tx.read, tableId, schema);
  await createContracts(tx, { tenantId: tx.caller.tenantId, tableId }, facts, jobs);
  tx.read.clear();
  return (await findContract(tx.read, tableId, 'data')) as Lean<TableContract>;
}

function seriesOf({ kind, column }: RunValueInput): ContractSeries {
  return { kind, ...(column != null && { column }) };
}

function validateSampleSize(place: string, { kind, value, sampleSize }: RunValueInput): void {
  if (sampleSize == null) return;
  if (!isShareKind(kind)) rejectField(`${place}.sampleSize`, `is not allowed for ${kind}`);
  if (value < 0 || value > 1) rejectField(`${place}.value`, 'must be from 0 to 1 if sampleSize is set');
}

function toSeriesValue({ value, sampleSize }: RunValueInput): SeriesValue {
  return { value, ...(sampleSize != null && { sampleSize }) };
}

function capturedAtOf({ capturedAt }: TableRunInput): Date | undefined {
  if (!capturedAt) return undefined;
  if (capturedAt.getTime() > Date.now() + MAX_CLOCK_SKEW_MS) rejectField('capturedAt', 'must not be in the future');
  if (capturedAt < EARLIEST_CAPTURED_AT) rejectField('capturedAt', 'must be 2000-01-01 or later');
  return capturedAt;
}

async function readReportedResult(
  read: Reader,
  { id, scope }: Lean<TableContract>,
  runId: string,
): Promise<Lean<TableQualityResult> | undefined> {
  const ofRun = { where: 'contract_id = $1 and run_id = $2 and is_reported', limit: 1 };
  const [result] = await read.select(TableQualityResult, ofRun, [decodeId(id), runId]);
  return result && presentResult(result, scope);
}
