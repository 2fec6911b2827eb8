import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import type { UpdateArtifactArgs } from './artifact.inputs.js';
import { folderOf } from './artifact-place.js';
import { lockArtifact } from './existing-artifact.js';
import { requireExtension } from './recognise-file.js';

/** Fields that are left out keep their value, so without any the file stays as it is. A `path` of null is the root. */
export async function updateArtifact(
  tx: WorkspaceTransaction,
  { artifactId, fileName, path }: UpdateArtifactArgs,
): Promise<void> {
  const artifact = await lockArtifact(tx, artifactId);
  if (fileName === undefined && path === undefined) return;
  if (fileName !== undefined) requireExtension(fileName, artifact.fileType);
  const changes = {
    ...(fileName !== undefined && { fileName: fileName.normalize('NFC') }),
    ...(path !== undefined && { path: folderOf(path) ?? (null as never) }),
  };
  tx.change(artifact, changes);
  tx.record('artifact.updated', artifact, changes);
}
