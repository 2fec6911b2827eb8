import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeId } from '../../../src/kernel/ids.js';
import { queryAsOwner } from '../database/owner-queries.js';

interface StoredService {
  readonly databaseUrl: string;
  readonly dataDir: string;
}

/** Returns the default folder of the file store. */
export const filesFolderOf = ({ dataDir }: { dataDir: string }): string => join(dataDir, 'files');

/** Returns the paths of all files below a folder, including incomplete files. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Returns all artifact rows and files, in all workspaces. */
export async function storedArtifacts(service: StoredService): Promise<{ rows: unknown[]; files: string[] }> {
  const rows = await queryAsOwner(service, 'select id, upload_status from artifact order by id');
  return { rows, files: (await filesBelow(filesFolderOf(service))).sort() };
}

/** Returns the path of the file that the folder store writes for an artifact. */
export function artifactPath(folder: string, { tenantId, id }: { tenantId: string; id: string }): string {
  return join(folder, 'artifacts', decodeId(tenantId) as string, decodeId(id) as string);
}
