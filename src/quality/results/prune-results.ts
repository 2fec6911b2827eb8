import type { EntityManager } from '@mikro-orm/postgresql';
import { deferPrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';

/** The limit applies separately to quality results and SPC results. */
const MAX_RESULTS_PER_CONTRACT = 1_000;

const MAX_PRUNED_RESULTS = 5_000;

const OF_CONTRACT_NEWEST_FIRST = 'where tenant_id = ? and contract_id = ? order by captured_at desc, id';

const PRUNE_SPC_RESULTS = `
delete from table_spc_result where tenant_id = ? and id in (select id from table_spc_result ${OF_CONTRACT_NEWEST_FIRST} offset ${MAX_RESULTS_PER_CONTRACT} limit ${MAX_PRUNED_RESULTS})`;

/**
 * Retains the latest result with `measures` even if many newer results lack them. The service compares the next run
 * with these measures.
 */
const PRUNE_QUALITY_RESULTS = `
delete from table_quality_result where tenant_id = ? and id in (
  select id from table_quality_result ${OF_CONTRACT_NEWEST_FIRST} offset ${MAX_RESULTS_PER_CONTRACT} limit ${MAX_PRUNED_RESULTS}
) and id not in (
  select id from table_quality_result where tenant_id = ? and contract_id = ? and measures is not null order by captured_at desc, id limit 1
)`;

/** Deletes at most `MAX_PRUNED_RESULTS` results of each kind per contract. */
export async function pruneResults(em: EntityManager, tenantId: string, contractIds: readonly string[]): Promise<void> {
  const tenant = decodeId(tenantId);
  for (const id of contractIds) {
    const contract = [tenant, decodeId(id)];
    await deferPrepared(em, PRUNE_SPC_RESULTS, [tenant, ...contract]);
    await deferPrepared(em, PRUNE_QUALITY_RESULTS, [tenant, ...contract, ...contract]);
  }
}
