import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Milliseconds after which nobody is at work on something any more: jobs have less. */
const ABANDONED_AFTER_MS = 86_400_000;

/** Removes what processes that were lost have left in the folder. */
export async function sweepWorkFolder(folder: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined); // somebody else may sweep as well
    if (found && now - found.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}
