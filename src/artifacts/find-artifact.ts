import { LockMode } from '@mikro-orm/core';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { AppError } from '../kernel/errors.js';
import type { Lean, Reader } from '../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { Artifact } from './artifact.js';

/** Throws NOT_FOUND if the file does not exist or was deleted. */
export async function readArtifact(read: Reader, id: string): Promise<Lean<Artifact>> {
  const artifact = await findArtifact(read, id);
  if (!artifact) throw fileNotFoundError();
  return artifact;
}

export async function findArtifact(read: Reader, id: string): Promise<Lean<Artifact> | undefined> {
  const artifact = await read.byId(Artifact, id);
  return artifact?.deletedAt ? undefined : artifact;
}

/** Locks the row until the transaction ends. Throws NOT_FOUND. */
export async function lockArtifact(tx: WorkspaceTransaction, id: string): Promise<Artifact> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const artifact = await tx.em.findOne(Artifact, { id, deletedAt: null }, options);
  if (!artifact) throw fileNotFoundError();
  return artifact;
}

/** The caller must lock the file first, so that no other transaction publishes a tap from it. */
export async function isArtifactPublished(tx: WorkspaceTransaction, id: string): Promise<boolean> {
  return (await tx.em.count(TenantConnectorTap, { attributedArtifactId: id, deletedAt: null })) > 0;
}

function fileNotFoundError(): AppError {
  return new AppError('NOT_FOUND', 'The file does not exist.');
}
