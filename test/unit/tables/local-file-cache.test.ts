import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileNotFoundError, type FileStore } from '../../../src/kernel/files/file-store.js';
import { LocalFileCache } from '../../../src/tables/local-file-cache.js';

/** More than is kept for whoever asks again. */
const LARGE = 600 * 2 ** 20;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproot-copies-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Copies from a store that has every file but `missing`, each only once it is let go. */
function copies() {
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const gate = (key: string): PromiseWithResolvers<void> => {
    const known = gates.get(key) ?? Promise.withResolvers<void>();
    gates.set(key, known);
    return known;
  };
  const store = {
    async copyTo(key: string, path: string) {
      if (key === 'missing') throw new FileNotFoundError(key);
      await gate(key).promise;
      await writeFile(path, key);
    },
  } as Partial<FileStore> as FileStore;
  return { files: new LocalFileCache(store, folder), letGo: (key: string) => gate(key).resolve() };
}

const kept = (...keys: string[]) => keys.map((key) => ({ key, bytes: LARGE }));
const copied = async () => (await readdir(folder, { recursive: true, withFileTypes: true })).filter((e) => e.isFile());

describe('copies of files', () => {
  it('all have arrived or failed before one that failed is told, so that none is left behind', async () => {
    const { files, letGo } = copies();
    let hasArrived = false;
    setTimeout(() => {
      hasArrived = true;
      letGo('slow');
    }, 100);
    await expect(files.use(kept('missing', 'slow'), async () => undefined)).rejects.toBeInstanceOf(FileNotFoundError);
    expect(hasArrived).toBe(true);
    expect(await copied()).toEqual([]);
  });

  it('stay while somebody uses them, however much there is', async () => {
    const { files, letGo } = copies();
    for (const key of ['a', 'b', 'c']) letGo(key);
    await files.use(kept('a', 'b'), async (paths) => {
      const others = Array.from({ length: 5 }, () => files.use(kept('c'), async ([path]) => access(path as string)));
      await Promise.all(others);
      for (const path of paths) await access(path);
    });
    expect(await copied()).toEqual([]);
  });
});
