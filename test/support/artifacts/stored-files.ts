import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeId } from '../../../src/kernel/ids.js';
import { queryAsOwner } from '../database/owner-queries.js';

interface StoredService {
  readonly databaseUrl: string;
  readonly dataDir: string;
}

export const filesFolderOf = ({ dataDir }: { dataDir: string }): string => join(dataDir, 'files');

export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Reads all workspaces. */
export async function storedArtifacts(service: StoredService): Promise<{ rows: unknown[]; files: string[] }> {
  const rows = await queryAsOwner(service, 'select id, upload_status from artifact order by id');
  return { rows, files: (await filesBelow(filesFolderOf(service))).sort() };
}

export function artifactPath(folder: string, { tenantId, id }: { tenantId: string; id: string }): string {
  return join(folder, 'artifacts', decodeId(tenantId) as string, decodeId(id) as string);
}
