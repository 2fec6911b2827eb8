import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../kernel/errors.js';
import { decodeId } from '../kernel/ids.js';
import type { Jobs } from '../kernel/jobs.js';
import type { Lean } from '../kernel/reading.js';
import type { DuckDb } from '../tables/duckdb.js';
import { readTable } from '../tables/existing-table.js';
import type { TableContext } from '../tables/table-context.js';
import type { TableField } from '../tables/table-schema.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { checkContract } from './check-contract.js';
import { refuse } from './column-knowledge.js';
import { readContract } from './existing-contract.js';
import { faultyPatterns } from './faulty-patterns.js';
import { hideValues } from './hide-values.js';
import { dropRules } from './keep-degraded.js';
import { findContract } from './open-contracts.js';
import { ruleKeyOf } from './series-key.js';
import type { ContractFieldInput, TableContractInput } from './table-contract.inputs.js';
import { type ContractRule, TableContract } from './table-contract.js';
import { planLook } from './table-quality-job.js';

type Changes = Partial<TableContract>;

/** Results are kept by one contract or another version of it, never by half of each. Both of a table are held, since they share their sensitive columns. */
const LOCK = 'select from table_contract where tenant_id = ? and table_id = ? order by id for no key update';

/** Changes a contract, and answers it as it is then. Throws BAD_REQUEST, NOT_FOUND and CONFLICT. */
export async function changeTableContract(
  { read, write, landed }: TableContext,
  input: TableContractInput,
): Promise<Lean<TableContract>> {
  await requirePatterns(landed.duckdb, input.rules ?? []); // outside of the transaction, as all that takes a while
  await write((tx) => updateTableContract(tx, landed.jobs, input));
  return readContract(read, input.id);
}

async function updateTableContract(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  { id, version, ...input }: TableContractInput,
): Promise<void> {
  const { table: tableId } = await readContract(tx.read, id);
  const { schema, bytes } = await readTable(tx.read, tableId);
  const { tenantId } = tx.caller;
  await tx.em.execute(LOCK, [decodeId(tenantId), decodeId(tableId)]);
  const contract = await tx.em.findOneOrFail(TableContract, { id });
  if (version != null && version !== contract.version)
    throw new AppError('CONFLICT', `The contract has the version ${contract.version} by now; read it again.`);
  const changes = changesOf(contract, input);
  const twin = await findTwin(tx, contract, tableId);
  checkContract({ ...contract, ...changes }, schema, twin?.schema);
  const { sensitiveColumns } = input;
  const both: [TableContract, Changes][] = [[contract, changes]];
  if (twin && sensitiveColumns) both.push([twin, changesOf(twin, { sensitiveColumns })]);
  const gained = new Set(both.flatMap(([former, later]) => gainedBy(former, later)));
  if (gained.size > 0) for (const [{ id }] of both) await hideValues(tx.em, { tenantId, id }, [...gained]);
  if (changes.rules) await dropRules(tx, { tenantId, id, table: tableId }, changes.rules.map(ruleKeyOf));
  for (const [former, later] of both) {
    const changed = Object.keys(later);
    if (changed.length === 0) continue;
    tx.change(former, { ...later, version: former.version + 1 });
    tx.record('table_contract.changed', former, { tableId, version: former.version, changed });
    if (former.scope === 'data') await planLook(jobs, tx.em, { tenantId, tableId }, bytes);
  }
}

/** The other contract of its table. */
async function findTwin(
  { em, read }: WorkspaceTransaction,
  { scope }: TableContract,
  tableId: string,
): Promise<TableContract | undefined> {
  const twin = await findContract(read, tableId, scope === 'tap' ? 'data' : 'tap');
  return twin && em.findOneOrFail(TableContract, { id: twin.id });
}

/** Columns that become sensitive. */
function gainedBy(former: TableContract, { sensitiveColumns = [] }: Changes): string[] {
  return sensitiveColumns.filter((column) => !former.sensitiveColumns.includes(column));
}

/** What of the input differs from what there is. Null, which clears the timestampColumn, leaves all else as it is. */
function changesOf(contract: TableContract, input: Omit<TableContractInput, 'id' | 'version'>): Changes {
  const { schema, series, rules, ...others } = input;
  const wanted = {
    ...others,
    schema: schema && { fields: schema.fields.map(fieldOf) },
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
function fieldOf({ name, type, scale }: ContractFieldInput): TableField {
  const given = scale ?? (type === 'Decimal' ? 0 : undefined);
  return { name, type: type as TableField['type'], ...(given !== undefined && { scale: given }) };
}

function withoutNulls<Part extends object>(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value != null)) as Part;
}

async function requirePatterns(duckdb: DuckDb, rules: readonly ContractRule[]): Promise<void> {
  const faulty = await faultyPatterns(
    duckdb,
    rules.flatMap(({ pattern }) => (pattern ? [pattern] : [])),
  );
  const at = rules.findIndex(({ pattern }) => pattern && faulty.has(pattern));
  if (at >= 0) refuse(`rules[${at}].pattern`, 'is no regular expression of RE2');
}
