import type { EntityManager } from '@mikro-orm/postgresql';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { AppError } from '../kernel/errors.js';
import { decodeId } from '../kernel/ids.js';
import type { Lean, Reader } from '../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';

const LOCK_INSTANCE = `
select from tenant_connector_instance
where tenant_id = ? and id = (select instance_id from tenant_connector_tap where tenant_id = ? and id = ?) for no key update`;

/** Throws NOT_FOUND if the tap does not exist or is deleted. */
export async function readTap(read: Reader, id: string): Promise<Lean<TenantConnectorTap>> {
  const tap = await findTap(read, id);
  if (!tap) throw missing();
  return tap;
}

export async function findTap(read: Reader, id: string): Promise<Lean<TenantConnectorTap> | undefined> {
  const tap = await read.byId(TenantConnectorTap, id);
  return tap?.deletedAt ? undefined : tap;
}

/**
 * `for no key update` blocks other writers of the tap and of its ingest tokens. `for update` also blocks inserts of
 * rows that reference the tap, such as delivered batches.
 */
type TapLock = 'for no key update' | 'for update';

/** Like `readTap`, but locks the row until the end of the transaction. */
export async function lockTap(
  tx: WorkspaceTransaction,
  id: string,
  lock: TapLock = 'for no key update',
): Promise<TenantConnectorTap> {
  if (!(await tryLockTap(tx.em, tx.caller.tenantId, id, lock))) throw missing();
  return tx.em.findOneOrFail(TenantConnectorTap, { id }, { refresh: true });
}

/** Locks the tap until the end of the transaction. Returns false if the tap does not exist or is deleted. */
export async function tryLockTap(
  em: EntityManager,
  tenantId: string,
  id: string,
  lock: TapLock = 'for no key update',
): Promise<boolean> {
  const sql = `select from tenant_connector_tap where tenant_id = ? and id = ? and deleted_at is null ${lock}`;
  return (await em.execute<unknown[]>(sql, [decodeId(tenantId), decodeId(id)])).length > 0;
}

/**
 * Locks the connection of a tap until the end of the transaction. Callers must lock the connection before the tap,
 * because the deletion of a connection uses the same order.
 */
export async function lockInstanceOfTap(em: EntityManager, tenantId: string, id: string): Promise<void> {
  const tenant = decodeId(tenantId);
  await em.execute(LOCK_INSTANCE, [tenant, tenant, decodeId(id)]);
}

function missing(): AppError {
  return new AppError('NOT_FOUND', 'The tap does not exist.');
}
