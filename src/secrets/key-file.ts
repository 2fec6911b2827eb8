import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomDigits } from '../kernel/ids.js';
import { KEY_BYTES, type KeyRing, KeyRingError, parseKeyRing } from './key-ring.js';

const LOST_KEY_FILE =
  'is missing, but the database holds secrets sealed with its key. Restore the file from a backup, or set SEALING_KEYS to its content (docs/secrets.md)';

/**
 * Reads the sealing keys from the key file of an installation without SEALING_KEYS. Creates the file on first use, with
 * access for its owner only. Never replaces a missing file while `isInUse` returns true, because a new key could not
 * unwrap the existing data keys. Throws `KeyRingError`, whose message continues a sentence that starts with the path of
 * the file.
 */
export async function loadKeyRing(
  dataDir: string,
  isInUse: () => Promise<boolean> = async () => false,
): Promise<KeyRing> {
  const file = keyFilePath(dataDir);
  try {
    return parseKeyRing((await readIfThere(file)) ?? (await makeUnlessLost(file, isInUse)));
  } catch (error) {
    if (error instanceof KeyRingError) throw error;
    throw new KeyRingError(`cannot be read or created (${(error as NodeJS.ErrnoException).code})`);
  }
}

export function keyFilePath(dataDir: string): string {
  return join(dataDir, 'keys', 'sealing-keys');
}

function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

async function makeUnlessLost(file: string, isInUse: () => Promise<boolean>): Promise<string> {
  if (!(await isInUse())) return make(file);
  const made = await readIfThere(file); // A process that started at the same time may have created and used the file.
  if (made !== undefined) return made;
  throw new KeyRingError(LOST_KEY_FILE);
}

/**
 * Flushes the file to disk before its first use. If several processes start at the same time, all of them use the key
 * of the first file.
 */
async function make(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeThrough(draft, `local-${randomDigits(8)}:${randomBytes(KEY_BYTES).toString('base64')}\n`);
    await link(draft, file).catch((taken: NodeJS.ErrnoException) => {
      if (taken.code !== 'EEXIST') throw taken;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(file));
  return readFile(file, 'utf8');
}

async function writeThrough(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
