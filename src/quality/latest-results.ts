import { createHash } from 'node:crypto';
import type { EntityClass } from '@mikro-orm/core';
import { decodeId } from '../kernel/ids.js';
import type { Lean, Reader } from '../kernel/reading.js';
import { IN_CATALOG } from '../tables/existing-table.js';
import type { ContractScope } from './table-contract.js';
import type { TableQualityResult } from './table-quality-result.js';
import type { ResultsOf } from './table-results.js';
import type { TableSpcResult } from './table-spc-result.js';

/** What a run has come to by one contract, of either kind. */
export type TableResult = TableSpcResult | TableQualityResult;

const CONTRACTS = `
select k.id, k.scope as note, row_number() over (order by catalog_table.created_at, catalog_table.id, k.scope) as place
from catalog_table join table_contract k on k.tenant_id = catalog_table.tenant_id and k.table_id = catalog_table.id
where catalog_table.tenant_id = $1 and ${IN_CATALOG}`;

const CONTRACT_ID = { data: 'dataContractId', tap: 'tapContractId' } as const;

/** A result as it is shown: with its own id and that of its contract. */
export function shownResult<Result extends TableResult>(row: Lean<Result>, scope: ContractScope): Lean<Result> {
  const { id, contract } = row as { id: string; contract: string };
  return { ...row, resultId: id, [CONTRACT_ID[scope]]: contract };
}

/** The latest result by each contract of the tables in the workspace catalog, the oldest table first, and of a table by scope. */
export async function readLatest<Result extends TableResult>(
  read: Reader,
  tenantId: string,
  kind: EntityClass<Result>,
): Promise<ResultsOf<Result>> {
  const found = await read.firstOfEach(kind, 'contract' as never, CONTRACTS, [decodeId(tenantId)]);
  const results = found.map(({ row, note }) => shownResult(row, note as ContractScope));
  return { results, resultsVersion: versionOf(tenantId, results as unknown as { id: string }[]), tenantId };
}

/** Changes when a result comes in, is replaced or leaves, and not otherwise: each result has an id of its own. 27 characters. */
function versionOf(tenantId: string, results: readonly { id: string }[]): string {
  const ids = [tenantId, ...results.map(({ id }) => id)];
  return createHash('sha256').update(ids.join()).digest('base64url').slice(0, 27);
}
