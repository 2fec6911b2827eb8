import type { QueryResult } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { decodeId } from '../../kernel/ids.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';

/** In lower case, so that SQL needs no quotes. The suffix distinguishes connections to the same vendor. */
const TABLE_NAME = "lower(replace(v.slug, '-', '_') || '_' || d.name || '_' || left(i.id::text, 8))";

const IS_TAKEN =
  'exists (select from tenant_connector_tap t where t.tenant_id = i.tenant_id and t.table_name = named.name)';

const EXISTING_TAP = `from tenant_connector_tap t where t.tenant_id = i.tenant_id and t.instance_id = i.id and t.tap_id = d.id`;

/** Omits a tap that a sync reads once per object, and does not recreate deleted taps. */
const insertTapsWhere = (condition: string): string => `
insert into tenant_connector_tap (id, created_at, created_by, updated_at, updated_by, tenant_id, instance_id, tap_id, name, enabled, table_name)
select gen_random_uuid(), now(), u.id, now(), u.id, i.tenant_id, i.id, d.id, d.name, d.enabled_by_default,
  case when ${IS_TAKEN} then named.name || '_' || left(gen_random_uuid()::text, 8) else named.name end
from (select ?::uuid as id) u, tenant_connector_instance i
join connector_tap d on d.connector_id = i.connector_id
join connector c on c.id = i.connector_id
join platform_vendor v on v.id = c.vendor_id
cross join lateral (select ${TABLE_NAME} as name) named
where i.deleted_at is null and d.name is distinct from c.field_discovery -> 'objects' ->> 'tap' and not exists (select ${EXISTING_TAP}) and ${condition}
order by i.id, d.position on conflict do nothing`;

const INSERT_INSTANCE_TAPS = insertTapsWhere('i.tenant_id = ? and i.id = ? and (?::uuid is null or d.id = ?)');
const INSERT_RANGE_TAPS = insertTapsWhere('i.id > ? and i.id <= ?');

/** Adds the taps of the connector that the connection lacks. `definitionId` selects one `ConnectorTap` by its id. */
export async function addInstanceTaps(
  { em, caller }: WorkspaceTransaction,
  instanceId: string,
  definitionId?: string,
): Promise<void> {
  const one = definitionId ? decodeId(definitionId) : null;
  await em.execute(INSERT_INSTANCE_TAPS, [
    decodeId(caller.userId),
    decodeId(caller.tenantId),
    decodeId(instanceId),
    one,
    one,
  ]);
}

/** For connections of all workspaces with `after` < id <= `last`, adds the missing taps. Returns the number of taps. */
export async function addTapsInRange(
  em: EntityManager,
  { userId, after, last }: { userId: string; after: string; last: string },
): Promise<number> {
  const { affectedRows } = await em.execute<QueryResult>(INSERT_RANGE_TAPS, [decodeId(userId), after, last], 'run');
  return affectedRows;
}
