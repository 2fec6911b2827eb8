import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireFolderLock } from '../../../src/database/folder-lock.js';

/**
 * Matches the names of the claim files that `acquireFolderLock` creates. A folder without a claim file may belong to a
 * run that has not yet started PostgreSQL.
 */
const CLAIM = /^service-\d+\.pid$/;

/**
 * Deletes the folders of runs whose process has ended. If a PostgreSQL server still runs in such a folder, it ends by
 * itself within a minute, because its lock file is gone.
 */
export async function deleteKilledRuns(parent: string, prefix: string): Promise<void> {
  const names = await readdir(parent);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const folder = join(parent, name);
    const files = await readdir(folder).catch(() => []); // Another run may delete the folder.
    if (!files.some((file) => CLAIM.test(file))) continue;
    const isFree = await acquireFolderLock(folder).then(
      () => true,
      () => false,
    );
    if (isFree) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
