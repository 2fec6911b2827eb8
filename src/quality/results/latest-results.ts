import { createHash } from 'node:crypto';
import type { EntityClass } from '@mikro-orm/core';
import type { GraphQLResolveInfo } from 'graphql';
import { decodeId } from '../../kernel/ids.js';
import { countFirstOfEach, readFirstOfEach, readIdsOfFirst } from '../../kernel/reading/first-of-each.js';
import { isFieldSelected } from '../../kernel/reading/is-field-selected.js';
import type { Lean } from '../../kernel/reading/lean.js';
import { isWholeList, type ListSelection } from '../../kernel/reading/list-selection.js';
import { overrideRow } from '../../kernel/reading/override-row.js';
import type { OptionalPageArgs } from '../../kernel/reading/paging.js';
import { IN_CATALOG } from '../../tables/existing-table.js';
import type { WorkspaceContext } from '../../tenancy/workspace-context.js';
import type { ContractScope } from '../contracts/table-contract.js';
import type { TableSpcResult } from '../spc/table-spc-result.js';
import type { LatestResults } from './latest-results-type.js';
import type { CheckResult, TableQualityResult } from './table-quality-result.js';
import { upgradeChecks } from './upgrade-results.js';

export type TableResult = TableSpcResult | TableQualityResult;

/** Selects each contract twice: for the results of the service, and for reported results. */
const SELECT_CONTRACTS = `
select k.id, k.scope as note, origin.is_reported,
  row_number() over (order by catalog_table.created_at, catalog_table.id, k.scope, origin.is_reported) as place
from catalog_table join table_contract k on k.tenant_id = catalog_table.tenant_id and k.table_id = catalog_table.id
cross join (values (false), (true)) origin (is_reported)
where catalog_table.tenant_id = $1 and ${IN_CATALOG}`;

const CONTRACT_ID_FIELDS = { data: 'dataContractId', tap: 'tapContractId' } as const;

/**
 * Adds the ids of the result and of its contract, under the names that the API uses. Converts checks that an earlier
 * version of the service stored.
 */
export function presentResult<Result extends TableResult>(row: Lean<Result>, scope: ContractScope): Lean<Result> {
  const { id, contract, checks } = row as { id: string; contract: string; checks?: CheckResult[] };
  const shown = { resultId: id, [CONTRACT_ID_FIELDS[scope]]: contract };
  return overrideRow(row, checks ? { ...shown, checks: upgradeChecks(checks) } : shown);
}

/**
 * Returns the latest result of the service, and the latest result that an external job reported, for each contract in
 * the workspace catalog. The results of the oldest table come first. Reads no results if the query selects only
 * `resultsVersion`.
 */
export async function readLatestResults<Result extends TableResult>(
  { read, caller: { tenantId } }: WorkspaceContext,
  kind: EntityClass<Result>,
  { limit, offset }: OptionalPageArgs,
  selection: ListSelection,
  info: GraphQLResolveInfo,
): Promise<LatestResults<Result>> {
  const firsts = {
    ...{ property: 'contract', wanted: SELECT_CONTRACTS, values: [decodeId(tenantId)] },
    where: 'is_reported = wanted.is_reported',
  };
  const page = { limit, offset, selection };
  const part = isWholeList(page) ? undefined : page;
  const found = isFieldSelected(info, 'results') ? await readFirstOfEach(read, kind, firsts, part) : undefined;
  const all = part ? undefined : found?.map(({ row }) => (row as unknown as { id: string }).id);
  const ids = all ?? (isFieldSelected(info, 'resultsVersion') ? await readIdsOfFirst(read, kind, firsts) : []);
  return {
    results: found?.map(({ row, note }) => presentResult(row, note as ContractScope)) ?? [],
    resultsVersion: resultsVersionOf(tenantId, ids),
    total: all?.length ?? (selection.counts ? await countFirstOfEach(read, kind, firsts, selection) : undefined),
    tenantId,
  };
}

/** The hash changes with each new or replaced result, because each of them gets a new id. */
function resultsVersionOf(tenantId: string, ids: readonly string[]): string {
  return createHash('sha256')
    .update([tenantId, ...ids].join())
    .digest('base64url')
    .slice(0, 27);
}
