import { decodeId } from '../../../src/kernel/ids.js';
import type { TableContract } from '../../../src/quality/contracts/table-contract.js';
import type { TableQualityResult } from '../../../src/quality/results/table-quality-result.js';
import type { TableSpcResult } from '../../../src/quality/spc/table-spc-result.js';

// biome-ignore lint/suspicious/noExplicitAny: tests read any row
type Query = (sql: string, values?: unknown[]) => Promise<any[]>;
type Scope = 'tap' | 'data';

const COLUMNS = {
  rules: 'json',
  series: 'json',
  primaryKey: 'json',
  sensitiveColumns: 'json',
  allowsNewColumns: 'boolean',
  timestampColumn: 'text',
  runScope: 'text',
} as const;
type Changes = Partial<Pick<TableContract, keyof typeof COLUMNS>>;

export async function changeContract(query: Query, tableId: string, scope: Scope, changes: Changes): Promise<void> {
  for (const [name, value] of Object.entries(changes)) {
    const type = COLUMNS[name as keyof typeof COLUMNS];
    const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const set = `update table_contract set ${column} = $3::${type}, version = version + 1, updated_at = now() where table_id = $1 and scope = $2`;
    await query(set, [decodeId(tableId), scope, type === 'json' ? JSON.stringify(value) : value]);
  }
}

type Row<Result> = Omit<Result, 'contract'> & { readonly id: string; readonly runId: string };

/** Oldest first. */
export function qualityOf(query: Query, tableId: string, scope: Scope): Promise<Row<TableQualityResult>[]> {
  const columns =
    'r.id, run_id as "runId", captured_at as "capturedAt", overall_status as "overallStatus", lifecycle, checks, measures';
  return resultsOf(query, 'table_quality_result', columns, tableId, scope);
}

export function spcOf(query: Query, tableId: string, scope: Scope): Promise<Row<TableSpcResult>[]> {
  const columns = 'r.id, run_id as "runId", captured_at as "capturedAt", overall_status as "overallStatus", r.series';
  return resultsOf(query, 'table_spc_result', columns, tableId, scope);
}

function resultsOf<Result>(
  query: Query,
  from: string,
  columns: string,
  tableId: string,
  scope: Scope,
): Promise<Result[]> {
  const sql = `select ${columns} from ${from} r join table_contract k on k.id = contract_id
    where table_id = $1 and scope = $2 order by captured_at, r.id`;
  return query(sql, [decodeId(tableId), scope]);
}

/** Returns `KEY STATUS` of each check. */
export function checkStatusesOf({ checks }: Pick<TableQualityResult, 'checks'>): string[] {
  return checks.map(({ key, status }) => `${key} ${status}`);
}

export async function degradedScopesOf(query: Query, tableId: string): Promise<string[]> {
  const sql = 'select scope from table_contract where table_id = $1 and degraded_since is not null order by scope';
  return (await query(sql, [decodeId(tableId)])).map(({ scope }) => scope);
}
