import type { EntityManager } from '@mikro-orm/postgresql';
import { decodeId } from '../kernel/ids.js';
import type { Lean } from '../kernel/reading.js';
import type { Transaction } from '../kernel/transaction.js';
import { CatalogTable } from '../tables/catalog-table.js';
import { holdInstanceOfTap } from '../tables/existing-tap.js';
import type { TableContract } from './table-contract.js';

/**
 * By the latest of the service's own looks at rows that are in the table, and by the latest result of a job: neither takes back what the other has found. One
 * of an earlier run that comes in late changes nothing, nor does what was refused.
 */
const OF_CONTRACT = 'from table_quality_result r where r.tenant_id = ? and r.contract_id = ? and';
const LATEST = `select is_degraded ${OF_CONTRACT}`;
const FIRST = 'order by r.captured_at desc, r.id limit 1';

const OWN = "not r.is_reported and (r.lifecycle <> 'promote' or r.measures is not null)";

const MARK = `
update table_contract k set degraded_since = case when f.fails then now() end
from (
  select coalesce(bool_or(latest.is_degraded), false) as fails from (
    (${LATEST} r.is_reported ${FIRST})
    union all
    (${LATEST} ${OWN} ${FIRST})
  ) latest
) f
where k.tenant_id = ? and k.id = ? and (k.degraded_since is not null) <> f.fails returning k.id`;

const DROP = `
update table_quality_result d set is_degraded = false
where d.tenant_id = ? and d.is_degraded and d.id = (select r.id ${OF_CONTRACT} ${OWN} ${FIRST}) and not exists (
  select from json_array_elements(d.checks) c
  where c ->> 'status' = 'FAIL' and c -> 'spec' ->> 'gate' = 'GATE_2' and c ->> 'key' in (select json_array_elements_text(?::json)))`;

/** Follows from the tables of its taps that are not deleted. */
const TELL_INSTANCE = `
update tenant_connector_instance i set is_degraded = not i.is_degraded
where i.tenant_id = ? and i.id = (select instance_id from tenant_connector_tap t where t.tenant_id = ? and t.id = ?)
  and i.is_degraded <> exists (
    select from tenant_connector_tap t
    join catalog_table c on c.tenant_id = t.tenant_id and c.tap_id = t.id
    join table_contract k on k.tenant_id = c.tenant_id and k.table_id = c.id
    where t.tenant_id = i.tenant_id and t.instance_id = i.id and t.deleted_at is null and k.degraded_since is not null)`;

/** Says of a table, and of the connection that brings its rows, whether a check of GATE_2 fails, in the transaction that has kept a result. */
export async function keepDegraded(
  { em, read }: Transaction,
  { id, tenantId, table }: Pick<Lean<TableContract>, 'id' | 'tenantId' | 'table'>,
): Promise<void> {
  const contract = [decodeId(tenantId), decodeId(id)];
  const changed = await em.execute(MARK, [...contract, ...contract, ...contract]);
  if (changed.length === 0) return;
  const { tap } = (await read.byId(CatalogTable, table)) as Lean<CatalogTable>;
  await tellInstance(em, tenantId, tap);
}

/** What nobody checks any more degrades nothing: of the latest look count the checks of the rules that are left, which their keys name. */
export async function dropRules(
  tx: Transaction,
  contract: Pick<Lean<TableContract>, 'id' | 'tenantId' | 'table'>,
  left: readonly string[],
): Promise<void> {
  const tenant = decodeId(contract.tenantId);
  await tx.em.execute(DROP, [tenant, tenant, decodeId(contract.id), JSON.stringify(left)]);
  await keepDegraded(tx, contract);
}

/** Has a connection follow what was changed about the tables of its taps in this transaction. */
export async function tellInstance(em: EntityManager, tenantId: string, tapId: string): Promise<void> {
  const [tenant, tap] = [decodeId(tenantId), decodeId(tapId)];
  // Whoever else has changed one of its tables is waited for, so that the second one sees both.
  await holdInstanceOfTap(em, tenantId, tapId);
  await em.execute(TELL_INSTANCE, [tenant, tenant, tap]);
}
