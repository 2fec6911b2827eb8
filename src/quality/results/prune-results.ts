import type { EntityManager } from '@mikro-orm/postgresql';
import { decodeId } from '../../kernel/ids.js';

/** Results of each kind that a contract keeps. */
const MAX_RESULTS_PER_CONTRACT = 1_000;

/** Older ones that are removed at once. */
const MAX_PRUNED_RESULTS = 5_000;

const OF_CONTRACT_NEWEST_FIRST = 'where tenant_id = ? and contract_id = ? order by captured_at desc, id';

const PRUNE_SPC_RESULTS = `
delete from table_spc_result where tenant_id = ? and id in (select id from table_spc_result ${OF_CONTRACT_NEWEST_FIRST} offset ${MAX_RESULTS_PER_CONTRACT} limit ${MAX_PRUNED_RESULTS})`;

/** The next run is compared with the latest one of rows that came in, so that stays, however many came after it whose rows did not. */
const PRUNE_QUALITY_RESULTS = `
delete from table_quality_result where tenant_id = ? and id in (
  select id from table_quality_result ${OF_CONTRACT_NEWEST_FIRST} offset ${MAX_RESULTS_PER_CONTRACT} limit ${MAX_PRUNED_RESULTS}
) and id not in (
  select id from table_quality_result where tenant_id = ? and contract_id = ? and measures is not null order by captured_at desc, id limit 1
)`;

/** Removes the results of contracts that are older than the latest so many, in a transaction of the workspace. */
export async function pruneResults(em: EntityManager, tenantId: string, contractIds: readonly string[]): Promise<void> {
  const tenant = decodeId(tenantId);
  for (const id of contractIds) {
    const contract = [tenant, decodeId(id)];
    await em.execute(PRUNE_SPC_RESULTS, [tenant, ...contract]);
    await em.execute(PRUNE_QUALITY_RESULTS, [tenant, ...contract, ...contract]);
  }
}
