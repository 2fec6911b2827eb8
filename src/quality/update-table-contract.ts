import { AppError } from '../kernel/errors.js';
import type { Jobs } from '../kernel/jobs/jobs.js';
import type { Lean } from '../kernel/reading/reader.js';
import { readCatalogTable } from '../tables/existing-table.js';
import type { TableContext } from '../tables/table-context.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { validatePatterns } from './checks/validate-patterns.js';
import { type ContractChanges, changesOf } from './contracts/contract-changes.js';
import { findContract } from './contracts/create-contracts.js';
import { lockContracts } from './contracts/lock-contracts.js';
import { readContract } from './contracts/read-contract.js';
import { ruleKeyOf } from './contracts/series-key.js';
import type { TableContractInput } from './contracts/table-contract.inputs.js';
import { TableContract } from './contracts/table-contract.js';
import { enqueueMonitoring } from './contracts/table-quality-job.js';
import { validateContract } from './contracts/validate-contract.js';
import { redactValues } from './results/redact-values.js';
import { updateDegradedAfterRuleRemoval } from './results/update-degraded.js';

/** Throws BAD_REQUEST, NOT_FOUND and CONFLICT. */
export async function updateTableContract(
  { read, write, tableServices }: TableContext,
  input: TableContractInput,
): Promise<Lean<TableContract>> {
  // This check is slow, so it runs before the transaction.
  await validatePatterns(tableServices.duckdb, input.rules ?? []);
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
      `The contract is now at version ${contract.version}. Read the contract again, then repeat the change.`,
    );
  const changes = changesOf(contract, input);
  const other = await findOtherContract(tx, contract, tableId);
  validateContract({ ...contract, ...changes }, schema, other?.schema);
  const { sensitiveColumns } = input;
  const both: [TableContract, ContractChanges][] = [[contract, changes]];
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

async function findOtherContract(
  { em, read }: WorkspaceTransaction,
  { scope }: TableContract,
  tableId: string,
): Promise<TableContract | undefined> {
  const other = await findContract(read, tableId, scope === 'tap' ? 'data' : 'tap');
  return other && em.findOneOrFail(TableContract, { id: other.id });
}

function addedSensitiveColumns(former: TableContract, { sensitiveColumns = [] }: ContractChanges): string[] {
  return sensitiveColumns.filter((column) => !former.sensitiveColumns.includes(column));
}
