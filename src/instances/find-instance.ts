import { LockMode } from '@mikro-orm/core';
import { AppError } from '../kernel/errors.js';
import type { Lean, MaybePromise, Reader } from '../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';

/** Throws NOT_FOUND. */
export async function readInstance(read: Reader, id: string): Promise<Lean<TenantConnectorInstance>> {
  const instance = await findInstance(read, id);
  if (!instance) throw instanceNotFoundError();
  return instance;
}

export async function findInstance(read: Reader, id: string): Promise<Lean<TenantConnectorInstance> | undefined> {
  const instance = await (read.byId(TenantConnectorInstance, id) as MaybePromise<
    Lean<TenantConnectorInstance> | undefined
  >);
  return instance?.deletedAt ? undefined : instance;
}

/** Locks the connection until the transaction ends. Throws NOT_FOUND. */
export async function lockInstance(tx: WorkspaceTransaction, id: string): Promise<TenantConnectorInstance> {
  const instance = await tryLockInstance(tx, id);
  if (!instance) throw instanceNotFoundError();
  return instance;
}

/** Like `lockInstance`, but returns null instead of throwing NOT_FOUND. */
export function tryLockInstance(tx: WorkspaceTransaction, id: string): Promise<TenantConnectorInstance | null> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  return tx.em.findOne(TenantConnectorInstance, { id, deletedAt: null }, options);
}

/** Throws CONFLICT if `credentialId` is not the current credential record. */
export async function requireCurrentCredential(
  tx: WorkspaceTransaction,
  instanceId: string,
  credentialId: string | undefined,
): Promise<void> {
  tx.read.clear();
  const { credential } = await readInstance(tx.read, instanceId);
  if ((credential ?? undefined) !== credentialId)
    throw new AppError(
      'CONFLICT',
      'The credentials have been changed by another request. Read the connection and try again.',
    );
}

export function instanceNotFoundError(): AppError {
  return new AppError('NOT_FOUND', 'The connection does not exist.');
}
