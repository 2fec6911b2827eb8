import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProcess } from './find-process.js';

/**
 * Acquires the folder for this process, and returns a function that releases it. Throws if another running process
 * holds the folder. Each process creates a claim, a file with the next number. The claim with the highest number is
 * valid until its process empties the file or ends. Two processes cannot create the same file, so only one of them
 * replaces the claim of an ended process.
 */
export async function acquireFolderLock(folder: string): Promise<() => Promise<void>> {
  const draft = join(folder, `claim-of-${process.pid}`);
  try {
    await writeFile(draft, `${process.pid} ${(await findProcess(`${process.pid}`))?.started}\n`);
    for (;;) {
      const numbers = await claims(folder);
      const latest = Math.max(0, ...numbers);
      await refuseWhereLive(folder, latest);
      const ours = claimFile(folder, latest + 1);
      if (!(await linked(draft, ours))) continue;
      if (Math.max(...(await claims(folder))) > latest + 1) {
        await rm(ours);
        continue;
      }
      for (const number of numbers) await rm(claimFile(folder, number), { force: true });
      // If this write fails, the claim still ends with the process.
      return () => writeFile(ours, '').catch(() => undefined);
    }
  } finally {
    await rm(draft, { force: true });
  }
}

async function claims(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => /^service-(\d+)\.pid$/.exec(name)?.slice(1) ?? []).map(Number);
}

function claimFile(folder: string, number: number): string {
  return join(folder, `service-${number}.pid`);
}

async function refuseWhereLive(folder: string, number: number): Promise<void> {
  const text = await readFile(claimFile(folder, number), 'utf8').catch(() => '');
  const [, pid, started] = /^(\d+) (.*)\n/.exec(text) ?? [];
  if (!pid || pid === `${process.pid}` || (await findProcess(pid))?.started !== started) return;
  throw new Error(
    `${folder} is in use by process ${pid}. Stop this process, set DATA_DIR to a different folder, or set DATABASE_URL`,
  );
}

function linked(from: string, to: string): Promise<boolean> {
  return link(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? false : Promise.reject(error)),
  );
}
