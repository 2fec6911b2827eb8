import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import type { UpdateArtifactArgs } from './artifact.inputs.js';
import { normalizeFolder } from './artifact-location.js';
import { requireMatchingExtension } from './detect-file-type.js';
import { lockArtifact } from './find-artifact.js';

/** Omitted fields keep their value. A `path` of null moves the file to the root. */
export async function updateArtifact(
  tx: WorkspaceTransaction,
  { artifactId, fileName, path }: UpdateArtifactArgs,
): Promise<void> {
  const artifact = await lockArtifact(tx, artifactId);
  if (fileName === undefined && path === undefined) return;
  if (fileName !== undefined) requireMatchingExtension(fileName, artifact.fileType);
  const changes = {
    ...(fileName !== undefined && { fileName: fileName.normalize('NFC') }),
    ...(path !== undefined && { path: normalizeFolder(path) ?? (null as never) }),
  };
  tx.update(artifact, changes);
  tx.recordAudit('artifact.updated', artifact, changes);
}
