import type { EntityManager } from '@mikro-orm/postgresql';
import { executePrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { CatalogTable } from '../../tables/catalog-table.js';
import { lockInstanceOfTap } from '../../tables/existing-tap.js';
import type { TableContract } from '../contracts/table-contract.js';

/**
 * A contract is degraded if the latest result of the service for loaded rows, or the latest reported result, has a
 * failed GATE_2 check. Late results of earlier runs and results of rejected rows do not matter.
 */
const OF_CONTRACT = 'from table_quality_result r where r.tenant_id = ? and r.contract_id = ? and';
const SELECT_DEGRADED = `select is_degraded ${OF_CONTRACT}`;
const NEWEST = 'order by r.captured_at desc, r.id limit 1';

const OWN_RESULTS_OF_LOADED_ROWS = "not r.is_reported and (r.lifecycle <> 'promote' or r.measures is not null)";

const UPDATE_CONTRACT = `
update table_contract k set degraded_since = case when f.fails then now() end
from (
  select coalesce(bool_or(latest.is_degraded), false) as fails from (
    (${SELECT_DEGRADED} r.is_reported ${NEWEST})
    union all
    (${SELECT_DEGRADED} ${OWN_RESULTS_OF_LOADED_ROWS} ${NEWEST})
  ) latest
) f
where k.tenant_id = ? and k.id = ? and (k.degraded_since is not null) <> f.fails returning k.id`;

const CLEAR_REMOVED_RULES = `
update table_quality_result d set is_degraded = false
where d.tenant_id = ? and d.is_degraded and d.id = (select r.id ${OF_CONTRACT} ${OWN_RESULTS_OF_LOADED_ROWS} ${NEWEST}) and not exists (
  select from json_array_elements(d.checks) c
  where c ->> 'status' = 'FAIL' and c -> 'spec' ->> 'gate' = 'GATE_2' and c ->> 'key' in (select json_array_elements_text(?::json)))`;

/** A connection is degraded while a table of one of its taps is degraded. Deleted taps do not count. */
const UPDATE_INSTANCE = `
update tenant_connector_instance i set is_degraded = not i.is_degraded
where i.tenant_id = ? and i.id = (select instance_id from tenant_connector_tap t where t.tenant_id = ? and t.id = ?)
  and i.is_degraded <> exists (
    select from tenant_connector_tap t
    join catalog_table c on c.tenant_id = t.tenant_id and c.tap_id = t.id
    join table_contract k on k.tenant_id = c.tenant_id and k.table_id = c.id
    where t.tenant_id = i.tenant_id and t.instance_id = i.id and t.deleted_at is null and k.degraded_since is not null)`;

/** The caller must be in the transaction that saved a result or removed rules. */
export async function updateDegraded(
  { em, read }: TenantTransaction,
  { id, tenantId, table }: Pick<Lean<TableContract>, 'id' | 'tenantId' | 'table'>,
): Promise<void> {
  const contract = [decodeId(tenantId), decodeId(id)];
  const changed = await executePrepared(em, UPDATE_CONTRACT, [...contract, ...contract, ...contract]);
  if (changed.length === 0) return;
  const { tap } = (await read.byId(CatalogTable, table)) as Lean<CatalogTable>;
  await updateInstanceDegraded(em, tenantId, tap);
}

/** Clears the degraded mark if only removed rules caused it. `remaining` contains the keys of the remaining rules. */
export async function updateDegradedAfterRuleRemoval(
  tx: TenantTransaction,
  contract: Pick<Lean<TableContract>, 'id' | 'tenantId' | 'table'>,
  remaining: readonly string[],
): Promise<void> {
  const tenant = decodeId(contract.tenantId);
  await executePrepared(tx.em, CLEAR_REMOVED_RULES, [tenant, tenant, decodeId(contract.id), JSON.stringify(remaining)]);
  await updateDegraded(tx, contract);
}

export async function updateInstanceDegraded(em: EntityManager, tenantId: string, tapId: string): Promise<void> {
  const [tenant, tap] = [decodeId(tenantId), decodeId(tapId)];
  // Without the lock, two transactions for tables of the same connection would not see each other's changes.
  await lockInstanceOfTap(em, tenantId, tapId);
  await executePrepared(em, UPDATE_INSTANCE, [tenant, tenant, tap]);
}
