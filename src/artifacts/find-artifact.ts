import { LockMode } from '@mikro-orm/core';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { AppError } from '../kernel/errors.js';
import type { Lean, Reader } from '../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { Artifact } from './artifact.js';

/** A file that was not deleted, or NOT_FOUND. */
export async function readArtifact(read: Reader, id: string): Promise<Lean<Artifact>> {
  const artifact = await findArtifact(read, id);
  if (!artifact) throw missing();
  return artifact;
}

export async function findArtifact(read: Reader, id: string): Promise<Lean<Artifact> | undefined> {
  const artifact = await read.byId(Artifact, id);
  return artifact?.deletedAt ? undefined : artifact;
}

/** The same for writing: whoever else writes it waits. */
export async function lockArtifact(tx: WorkspaceTransaction, id: string): Promise<Artifact> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const artifact = await tx.em.findOne(Artifact, { id, deletedAt: null }, options);
  if (!artifact) throw missing();
  return artifact;
}

/** Whether a tap was published from it that is still there. So it stays while the file is locked, unless the tap is deleted. */
export async function isArtifactPublished(tx: WorkspaceTransaction, id: string): Promise<boolean> {
  return (await tx.em.count(TenantConnectorTap, { attributedArtifactId: id, deletedAt: null })) > 0;
}

function missing(): AppError {
  return new AppError('NOT_FOUND', 'There is no file of that id.');
}
