import { AppError } from '../kernel/errors.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import type { UpdateArtifactArgs } from './artifact.inputs.js';
import { folderOf } from './artifact-place.js';
import { lockArtifact } from './existing-artifact.js';
import { requireExtension } from './recognise-file.js';

/** What is left out stays; a `path` of null is the root. */
export async function updateArtifact(
  tx: WorkspaceTransaction,
  { artifactId, fileName, path }: UpdateArtifactArgs,
): Promise<void> {
  if (fileName === undefined && path === undefined) throw new AppError('BAD_REQUEST', 'Nothing is to be changed.');
  const artifact = await lockArtifact(tx, artifactId);
  if (fileName !== undefined) requireExtension(fileName, artifact.fileType);
  const changes = {
    ...(fileName !== undefined && { fileName: fileName.normalize('NFC') }),
    ...(path !== undefined && { path: folderOf(path) ?? (null as never) }),
  };
  tx.change(artifact, changes);
  tx.record('artifact.updated', artifact, changes);
}
