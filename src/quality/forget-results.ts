import type { EntityManager } from '@mikro-orm/postgresql';
import { decodeId } from '../kernel/ids.js';

/** Results of each kind that a contract keeps. */
const KEPT = 1_000;

/** Older ones that are removed at once. */
const MOST_FORGOTTEN = 5_000;

const LATEST = 'where tenant_id = ? and contract_id = ? order by captured_at desc, id';

const FORGET_SPC = `
delete from table_spc_result where tenant_id = ? and id in (select id from table_spc_result ${LATEST} offset ${KEPT} limit ${MOST_FORGOTTEN})`;

/** The next run is compared with the latest one of rows that came in, so that stays, however many came after it whose rows did not. */
const FORGET_QUALITY = `
delete from table_quality_result where tenant_id = ? and id in (
  select id from table_quality_result ${LATEST} offset ${KEPT} limit ${MOST_FORGOTTEN}
) and id not in (
  select id from table_quality_result where tenant_id = ? and contract_id = ? and measures is not null order by captured_at desc, id limit 1
)`;

/** Removes the results of contracts that are older than the latest so many, in a transaction of the workspace. */
export async function forgetResults(
  em: EntityManager,
  tenantId: string,
  contractIds: readonly string[],
): Promise<void> {
  const tenant = decodeId(tenantId);
  for (const id of contractIds) {
    const contract = [tenant, decodeId(id)];
    await em.execute(FORGET_SPC, [tenant, ...contract]);
    await em.execute(FORGET_QUALITY, [tenant, ...contract, ...contract]);
  }
}
