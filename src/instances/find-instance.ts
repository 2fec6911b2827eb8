import { LockMode } from '@mikro-orm/core';
import { AppError } from '../kernel/errors.js';
import type { Lean, MaybePromise, Reader } from '../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';

/** A connection that was not deleted, or NOT_FOUND. */
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

/** The same for writing: whoever else writes it waits. */
export async function lockInstance(tx: WorkspaceTransaction, id: string): Promise<TenantConnectorInstance> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const instance = await tx.em.findOne(TenantConnectorInstance, { id, deletedAt: null }, options);
  if (!instance) throw instanceNotFoundError();
  return instance;
}

/** Throws CONFLICT unless the current credential record is the one that the caller goes by. */
export async function requireCurrentCredential(
  tx: WorkspaceTransaction,
  instanceId: string,
  credentialId: string | undefined,
): Promise<void> {
  tx.read.clear();
  const { credential } = await readInstance(tx.read, instanceId);
  if ((credential ?? undefined) !== credentialId)
    throw new AppError('CONFLICT', 'The credentials were changed by somebody else; read the connection again.');
}

function instanceNotFoundError(): AppError {
  return new AppError('NOT_FOUND', 'There is no connection of that id.');
}
