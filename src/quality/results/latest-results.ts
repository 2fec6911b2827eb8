import { createHash } from 'node:crypto';
import type { EntityClass } from '@mikro-orm/core';
import { type GraphQLResolveInfo, Kind } from 'graphql';
import { decodeId } from '../../kernel/ids.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { IN_CATALOG } from '../../tables/existing-table.js';
import type { ContractScope } from '../contracts/table-contract.js';
import type { SpcSeries, TableSpcResult } from '../spc/table-spc-result.js';
import type { LatestResults } from './latest-results-type.js';
import type { CheckResult, TableQualityResult } from './table-quality-result.js';
import { upgradeChecks, upgradeSeries } from './upgrade-results.js';

/** What a run has come to by one contract, of either kind. */
export type TableResult = TableSpcResult | TableQualityResult;

/** Each contract twice: for the results of the service, and for those that jobs have reported. */
const SELECT_CONTRACTS = `
select k.id, k.scope as note, origin.is_reported,
  row_number() over (order by catalog_table.created_at, catalog_table.id, k.scope, origin.is_reported) as place
from catalog_table join table_contract k on k.tenant_id = catalog_table.tenant_id and k.table_id = catalog_table.id
cross join (values (false), (true)) origin (is_reported)
where catalog_table.tenant_id = $1 and ${IN_CATALOG}`;

const CONTRACT_ID_FIELDS = { data: 'dataContractId', tap: 'tapContractId' } as const;

/** A result as it is shown: with its own id and that of its contract. */
export function presentResult<Result extends TableResult>(row: Lean<Result>, scope: ContractScope): Lean<Result> {
  const { id, contract } = row as { id: string; contract: string };
  return { ...row, ...upgradeResult(row), resultId: id, [CONTRACT_ID_FIELDS[scope]]: contract };
}

function upgradeResult(row: object): object {
  const { series, checks } = row as { series?: SpcSeries[]; checks?: CheckResult[] };
  return { ...(series && { series: upgradeSeries(series) }), ...(checks && { checks: upgradeChecks(checks) }) };
}

/**
 * The latest result of the service and the latest that a job has reported by each contract of the tables in the workspace catalog: the oldest table
 * first, and of a table by scope. Where the question is about
 * their version alone, no result is read.
 */
export async function readLatestResults<Result extends TableResult>(
  read: Reader,
  tenantId: string,
  kind: EntityClass<Result>,
  question: GraphQLResolveInfo,
): Promise<LatestResults<Result>> {
  const contracts = [
    'contract' as never,
    SELECT_CONTRACTS,
    [decodeId(tenantId)],
    'is_reported = wanted.is_reported',
  ] as const;
  if (selectsVersionOnly(question)) {
    const ids = await read.idsOfFirst(kind, ...contracts);
    return { results: [], resultsVersion: resultsVersionOf(tenantId, ids), tenantId };
  }
  const found = await read.firstOfEach(kind, ...contracts);
  const results = found.map(({ row, note }) => presentResult(row, note as ContractScope));
  const ids = found.map(({ row }) => (row as unknown as { id: string }).id);
  return { results, resultsVersion: resultsVersionOf(tenantId, ids), tenantId };
}

/** Whether it names nothing but the version. Into fragments nobody looks. */
function selectsVersionOnly({ fieldNodes }: GraphQLResolveInfo): boolean {
  const named = fieldNodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
  return named.every((one) => one.kind === Kind.FIELD && one.name.value === 'resultsVersion');
}

/** Changes when a result comes in, is replaced or leaves, and not otherwise: each result has an id of its own. 27 characters. */
function resultsVersionOf(tenantId: string, ids: readonly string[]): string {
  return createHash('sha256')
    .update([tenantId, ...ids].join())
    .digest('base64url')
    .slice(0, 27);
}
