import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../kernel/errors.js';
import { decodeId } from '../kernel/ids.js';
import type { Jobs } from '../kernel/jobs/jobs.js';
import type { Lean } from '../kernel/reading/reader.js';
import type { DuckDb } from '../tables/duckdb.js';
import { readCatalogTable } from '../tables/existing-table.js';
import type { TableContext } from '../tables/table-context.js';
import type { TableField } from '../tables/table-schema.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { findInvalidPatterns } from './checks/find-invalid-patterns.js';
import { findContract } from './contracts/create-contracts.js';
import { rejectField } from './contracts/known-columns.js';
import { readContract } from './contracts/read-contract.js';
import { ruleKeyOf } from './contracts/series-key.js';
import type { ContractFieldInput, TableContractInput } from './contracts/table-contract.inputs.js';
import { type ContractRule, TableContract } from './contracts/table-contract.js';
import { enqueueMonitoring } from './contracts/table-quality-job.js';
import { validateContract } from './contracts/validate-contract.js';
import { redactValues } from './results/redact-values.js';
import { updateDegradedAfterRuleRemoval } from './results/update-degraded.js';

type Changes = Partial<TableContract>;

/** Results are kept by one contract or another version of it, never by half of each. Both of a table are held, since they share their sensitive columns. */
const LOCK_CONTRACTS = 'select from table_contract where tenant_id = ? and table_id = ? order by id for no key update';

/** Changes a contract, and answers it as it is then. Throws BAD_REQUEST, NOT_FOUND and CONFLICT. */
export async function updateTableContract(
  { read, write, tableServices: landed }: TableContext,
  input: TableContractInput,
): Promise<Lean<TableContract>> {
  await validatePatterns(landed.duckdb, input.rules ?? []); // outside of the transaction, as all that takes a while
  await write((tx) => applyContractInput(tx, landed.jobs, input));
  return readContract(read, input.id);
}

async function applyContractInput(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  { id, version, ...input }: TableContractInput,
): Promise<void> {
  const { table: tableId } = await readContract(tx.read, id);
  const { schema, bytes } = await readCatalogTable(tx.read, tableId);
  const { tenantId } = tx.caller;
  await tx.em.execute(LOCK_CONTRACTS, [decodeId(tenantId), decodeId(tableId)]);
  const contract = await tx.em.findOneOrFail(TableContract, { id });
  if (version != null && version !== contract.version)
    throw new AppError('CONFLICT', `The contract has the version ${contract.version} by now; read it again.`);
  const changes = changesOf(contract, input);
  const twin = await findOtherContract(tx, contract, tableId);
  validateContract({ ...contract, ...changes }, schema, twin?.schema);
  const { sensitiveColumns } = input;
  const both: [TableContract, Changes][] = [[contract, changes]];
  if (twin && sensitiveColumns) both.push([twin, changesOf(twin, { sensitiveColumns })]);
  const gained = new Set(both.flatMap(([former, later]) => addedSensitiveColumns(former, later)));
  if (gained.size > 0) for (const [{ id }] of both) await redactValues(tx.em, { tenantId, id }, [...gained]);
  if (changes.rules)
    await updateDegradedAfterRuleRemoval(tx, { tenantId, id, table: tableId }, changes.rules.map(ruleKeyOf));
  for (const [former, later] of both) {
    const changed = Object.keys(later);
    if (changed.length === 0) continue;
    tx.update(former, { ...later, version: former.version + 1 });
    tx.recordAudit('table_contract.changed', former, { tableId, version: former.version, changed });
    if (former.scope === 'data') await enqueueMonitoring(jobs, tx.em, { tenantId, tableId }, bytes);
  }
}

/** The other contract of its table. */
async function findOtherContract(
  { em, read }: WorkspaceTransaction,
  { scope }: TableContract,
  tableId: string,
): Promise<TableContract | undefined> {
  const twin = await findContract(read, tableId, scope === 'tap' ? 'data' : 'tap');
  return twin && em.findOneOrFail(TableContract, { id: twin.id });
}

/** Columns that become sensitive. */
function addedSensitiveColumns(former: TableContract, { sensitiveColumns = [] }: Changes): string[] {
  return sensitiveColumns.filter((column) => !former.sensitiveColumns.includes(column));
}

/** What of the input differs from what there is. Null, which clears the timestampColumn, leaves all else as it is. */
function changesOf(contract: TableContract, input: Omit<TableContractInput, 'id' | 'version'>): Changes {
  const { schema, series, rules, ...others } = input;
  const wanted = {
    ...others,
    schema: schema && { fields: schema.fields.map(toTableField) },
    series: series?.map(withoutNulls),
    rules: rules?.map(withoutNulls),
  };
  const isChange = ([name, value]: [string, unknown]): boolean => {
    const former = contract[name as keyof TableContract];
    if (name === 'timestampColumn' && value === null) return former !== null;
    return value !== undefined && value !== null && !isDeepStrictEqual(value, former);
  };
  return Object.fromEntries(Object.entries(wanted).filter(isChange)) as Changes;
}

/** As it is stored. That the type is one is checked with all else. */
function toTableField({ name, type, scale }: ContractFieldInput): TableField {
  const given = scale ?? (type === 'Decimal' ? 0 : undefined);
  return { name, type: type as TableField['type'], ...(given !== undefined && { scale: given }) };
}

function withoutNulls<Part extends object>(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value != null)) as Part;
}

async function validatePatterns(duckdb: DuckDb, rules: readonly ContractRule[]): Promise<void> {
  const faulty = await findInvalidPatterns(
    duckdb,
    rules.flatMap(({ pattern }) => (pattern ? [pattern] : [])),
  );
  const at = rules.findIndex(({ pattern }) => pattern && faulty.has(pattern));
  if (at >= 0) rejectField(`rules[${at}].pattern`, 'is no regular expression of RE2');
}
