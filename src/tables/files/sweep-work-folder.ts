import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Age from which a file counts as abandoned. Greater than the timeout of any job. */
const ABANDONED_AFTER_MS = 86_400_000;

/** Removes files of dead processes from the working folder. */
export async function sweepWorkFolder(folder: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined); // Another process may have removed the file.
    if (stats && now - stats.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}
