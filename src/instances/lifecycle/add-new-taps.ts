import type { EntityManager } from '@mikro-orm/postgresql';
import { SYSTEM_USER_ID } from '../../kernel/ids.js';
import { CATALOG_LOAD_SCOPE } from '../catalog-load-policies.js';
import { addTapsInRange } from './add-instance-taps.js';

/** Number of connections per transaction. Their rows are locked until the transaction ends. */
const BATCH_SIZE = 1_000;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const SELECT_LAST_OF_BATCH = `
select id from (select id from tenant_connector_instance where deleted_at is null and id > ? order by id limit ${BATCH_SIZE}) batch
order by id desc limit 1`;

/** For taps that were removed from the definition and then restored. */
const RELINK_RESTORED_TAPS = `
update tenant_connector_tap t set tap_id = d.id
from tenant_connector_instance i join connector_tap d on d.connector_id = i.connector_id
join connector c on c.id = i.connector_id
where i.id > ? and i.id <= ? and t.tenant_id = i.tenant_id and t.instance_id = i.id and t.tap_id is null
  and d.name = case t.object_name when '' then t.name else c.field_discovery -> 'objects' ->> 'tap' end
  and not exists (
    select from tenant_connector_tap other
    where other.tenant_id = i.tenant_id and other.instance_id = i.id and other.tap_id = d.id
      and other.object_name = t.object_name)`;

/**
 * `em` must be connected as the owner role. Several processes may call this function concurrently. After a crash, the
 * next start adds the missing taps. Returns the number of new taps.
 */
export async function addNewTaps(em: EntityManager): Promise<number> {
  const [revision] = await em.execute<{ id: string }[]>(
    'select id from catalog_revision where not reached_connections',
  );
  if (!revision) return 0;
  // Waits for transactions that create connections, so that the batches below include these connections. Such a
  // transaction locks the connector before it reads the taps of the connector.
  await em.execute('select from connector for update');
  let added = 0;
  for (let after = FIRST_ID; ; ) {
    const batch = await inCatalogLoad(em, (tx) => addBatch(tx, after));
    if (!batch) break;
    added += batch.added;
    after = batch.last;
  }
  await em.execute('update catalog_revision set reached_connections = true where id = ?', [revision.id]);
  return added;
}

async function addBatch(em: EntityManager, after: string): Promise<{ added: number; last: string } | undefined> {
  const [end] = await em.execute<{ id: string }[]>(SELECT_LAST_OF_BATCH, [after]);
  if (!end) return undefined;
  await em.execute(RELINK_RESTORED_TAPS, [after, end.id]);
  return { added: await addTapsInRange(em, { userId: SYSTEM_USER_ID, after, last: end.id }), last: end.id };
}

function inCatalogLoad<Result>(em: EntityManager, work: (tx: EntityManager) => Promise<Result>): Promise<Result> {
  return em.fork().transactional(async (tx) => {
    await tx.execute('set local statement_timeout = 0'); // A statement may wait for locks of another process.
    await tx.execute('select set_config(?, ?, true)', [CATALOG_LOAD_SCOPE.setting, CATALOG_LOAD_SCOPE.value]);
    return work(tx);
  });
}
