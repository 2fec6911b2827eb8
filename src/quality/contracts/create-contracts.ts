import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { deferPrepared } from '../../kernel/execute-prepared.js';
import { decodeId, newId, SYSTEM_USER_ID } from '../../kernel/ids.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { CatalogTable } from '../../tables/catalog-table.js';
import type { TableSchema } from '../../tables/table-schema.js';
import { type DefaultContract, defaultContract, type TapFacts } from './default-contract.js';
import { type ContractScope, TableContract } from './table-contract.js';
import { enqueueNextMonitoring } from './table-quality-job.js';

/**
 * If a concurrent transaction inserts the same contract, this statement waits for that transaction. If that transaction
 * commits, this statement does nothing.
 */
const INSERT_CONTRACT = `
insert into table_contract (id, created_at, created_by, updated_at, updated_by, tenant_id, table_id, scope, version, schema, allows_new_columns,
  primary_key, sensitive_columns, series, rules, window_size, min_history_for_violation, sigma_method, extra_spc_rules, run_scope)
values (?, now(), ?, now(), ?, ?, ?, ?, 1, ?, true, ?, ?, ?, ?, ?, ?, 'sample_stddev', '[]', 'landing')
on conflict (tenant_id, table_id, scope) do nothing`;

interface ContractTable {
  readonly tenantId: string;
  readonly tableId: string;
}

/** Returns undefined until the table has received its first rows. */
export async function findContract(
  read: Reader,
  tableId: string,
  scope: ContractScope,
): Promise<Lean<TableContract> | undefined> {
  const contracts = await read.many(TableContract, 'table', tableId);
  return contracts.find((contract) => contract.scope === scope);
}

export async function readTapFacts(read: Reader, tableId: string, schema: TableSchema): Promise<TapFacts> {
  const table = await read.byId(CatalogTable, tableId);
  const tap = table && (await read.byId(TenantConnectorTap, table.tap));
  const definition = tap?.tap ? await read.byId(ConnectorTap, tap.tap) : undefined;
  return { schema, definition, hasConnection: Boolean(tap?.instance) };
}

/**
 * Creates the missing contracts and schedules the hourly monitoring. Returns the id of the contract with scope `tap`.
 */
export async function createContracts(
  { em, read }: TenantTransaction,
  table: ContractTable,
  facts: TapFacts,
  jobs: Jobs,
): Promise<string> {
  for (const scope of ['tap', 'data'] as const)
    await deferPrepared(em, INSERT_CONTRACT, rowOf(table, scope, defaultContract(scope, facts)));
  read.clear();
  const [contract] = await Promise.all([
    findContract(read, table.tableId, 'tap'),
    enqueueNextMonitoring(jobs, em, table),
  ]);
  return (contract as Lean<TableContract>).id;
}

function rowOf({ tenantId, tableId }: ContractTable, scope: ContractScope, contract: DefaultContract): unknown[] {
  const by = decodeId(SYSTEM_USER_ID);
  const { schema, primaryKey, sensitiveColumns, series, rules, windowSize, minHistoryForViolation } = contract;
  const texts = [schema, primaryKey, sensitiveColumns, series, rules].map((value) => JSON.stringify(value));
  const ids = [decodeId(newId()), by, by, decodeId(tenantId), decodeId(tableId)];
  return [...ids, scope, ...texts, windowSize, minHistoryForViolation];
}
