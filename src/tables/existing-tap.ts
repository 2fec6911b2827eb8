import type { EntityManager } from '@mikro-orm/postgresql';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { AppError } from '../kernel/errors.js';
import { decodeId } from '../kernel/ids.js';
import type { Lean, Reader } from '../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';

const LOCK_INSTANCE = `
select from tenant_connector_instance
where tenant_id = ? and id = (select instance_id from tenant_connector_tap where tenant_id = ? and id = ?) for no key update`;

/** A tap of the workspace that was not deleted, or NOT_FOUND. */
export async function readTap(read: Reader, id: string): Promise<Lean<TenantConnectorTap>> {
  const tap = await findTap(read, id);
  if (!tap) throw missing();
  return tap;
}

export async function findTap(read: Reader, id: string): Promise<Lean<TenantConnectorTap> | undefined> {
  const tap = await read.byId(TenantConnectorTap, id);
  return tap?.deletedAt ? undefined : tap;
}

/** Who waits: writers of the tap and its ingest tokens; or also who adds anything else that points at it, such as what senders deliver. */
type TapLock = 'for no key update' | 'for update';

/** The same for writing. Whom the lock concerns waits until the end of the transaction. */
export async function lockTap(
  tx: WorkspaceTransaction,
  id: string,
  lock: TapLock = 'for no key update',
): Promise<TenantConnectorTap> {
  if (!(await tryLockTap(tx.em, tx.caller.tenantId, id, lock))) throw missing();
  return tx.em.findOneOrFail(TenantConnectorTap, { id }, { refresh: true });
}

/** Keeps a tap as it is until the end of the transaction, unless it is deleted; whether it is there. */
export async function tryLockTap(
  em: EntityManager,
  tenantId: string,
  id: string,
  lock: TapLock = 'for no key update',
): Promise<boolean> {
  const sql = `select from tenant_connector_tap where tenant_id = ? and id = ? and deleted_at is null ${lock}`;
  return (await em.execute<unknown[]>(sql, [decodeId(tenantId), decodeId(id)])).length > 0;
}

/** Keeps the connection of a tap as it is until the end of the transaction. Who needs both does this first, as whoever deletes the connection does. */
export async function lockInstanceOfTap(em: EntityManager, tenantId: string, id: string): Promise<void> {
  const tenant = decodeId(tenantId);
  await em.execute(LOCK_INSTANCE, [tenant, tenant, decodeId(id)]);
}

function missing(): AppError {
  return new AppError('NOT_FOUND', 'There is no tap of that id.');
}
