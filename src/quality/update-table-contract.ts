import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../kernel/errors.js';
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
import { lockContracts } from './contracts/lock-contracts.js';
import { readContract } from './contracts/read-contract.js';
import { ruleKeyOf } from './contracts/series-key.js';
import type { ContractFieldInput, TableContractInput } from './contracts/table-contract.inputs.js';
import { type ContractRule, TableContract } from './contracts/table-contract.js';
import { enqueueMonitoring } from './contracts/table-quality-job.js';
import { validateContract } from './contracts/validate-contract.js';
import { redactValues } from './results/redact-values.js';
import { updateDegradedAfterRuleRemoval } from './results/update-degraded.js';

type Changes = Partial<TableContract>;

/** Updates a contract and returns the new version. Throws BAD_REQUEST, NOT_FOUND and CONFLICT. */
export async function updateTableContract(
  { read, write, tableServices }: TableContext,
  input: TableContractInput,
): Promise<Lean<TableContract>> {
  await validatePatterns(tableServices.duckdb, input.rules ?? []); // slow, so not inside the transaction
  await write((tx) => applyContractInput(tx, tableServices.jobs, input));
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
  await lockContracts(tx, tableId);
  const contract = await tx.em.findOneOrFail(TableContract, { id });
  if (version != null && version !== contract.version)
    throw new AppError(
      'CONFLICT',
      `The contract is now at version ${contract.version}; read it again and repeat the change.`,
    );
  const changes = changesOf(contract, input);
  const other = await findOtherContract(tx, contract, tableId);
  validateContract({ ...contract, ...changes }, schema, other?.schema);
  const { sensitiveColumns } = input;
  const both: [TableContract, Changes][] = [[contract, changes]];
  if (other && sensitiveColumns) both.push([other, changesOf(other, { sensitiveColumns })]);
  const added = new Set(both.flatMap(([former, later]) => addedSensitiveColumns(former, later)));
  if (added.size > 0) for (const [{ id }] of both) await redactValues(tx.em, { tenantId, id }, [...added]);
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

/** Finds the contract of the same table with the other scope. */
async function findOtherContract(
  { em, read }: WorkspaceTransaction,
  { scope }: TableContract,
  tableId: string,
): Promise<TableContract | undefined> {
  const other = await findContract(read, tableId, scope === 'tap' ? 'data' : 'tap');
  return other && em.findOneOrFail(TableContract, { id: other.id });
}

function addedSensitiveColumns(former: TableContract, { sensitiveColumns = [] }: Changes): string[] {
  return sensitiveColumns.filter((column) => !former.sensitiveColumns.includes(column));
}

/** Returns the properties that change. Null clears `timestampColumn` and leaves all other properties unchanged. */
export function changesOf(contract: TableContract, input: Omit<TableContractInput, 'id' | 'version'>): Changes {
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

/** Converts to the stored form. `validateContract` checks the type later. */
function toTableField({ name, type, scale }: ContractFieldInput): TableField {
  const given = scale ?? (type === 'Decimal' ? 0 : undefined);
  return { name, type: type as TableField['type'], ...(given !== undefined && { scale: given }) };
}

function withoutNulls<Part extends object>(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value != null)) as Part;
}

/** Throws BAD_REQUEST if a rule has an invalid regular expression. */
export async function validatePatterns(duckdb: DuckDb, rules: readonly ContractRule[]): Promise<void> {
  const faulty = await findInvalidPatterns(
    duckdb,
    rules.flatMap(({ pattern }) => (pattern ? [pattern] : [])),
  );
  const at = rules.findIndex(({ pattern }) => pattern && faulty.has(pattern));
  if (at >= 0) rejectField(`rules[${at}].pattern`, 'is not a valid RE2 regular expression');
}
