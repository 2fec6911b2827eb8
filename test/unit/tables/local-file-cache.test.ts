import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileNotFoundError, type FileStore } from '../../../src/kernel/files/file-store.js';
import { LocalFileCache } from '../../../src/tables/local-file-cache.js';

/** Exceeds the size limit of the cache. */
const LARGE = 600 * 2 ** 20;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproot-copies-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The store has every file except `missing`, and delays each copy until the test calls `release`. */
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
  return { files: new LocalFileCache(store, folder), release: (key: string) => gate(key).resolve() };
}

const filesOf = (...keys: string[]) => keys.map((key) => ({ key, bytes: LARGE }));
const copied = async () => (await readdir(folder, { recursive: true, withFileTypes: true })).filter((e) => e.isFile());

describe('LocalFileCache', () => {
  it('waits for all downloads before it throws, so that no copy remains', async () => {
    const { files, release } = copies();
    let isDownloaded = false;
    setTimeout(() => {
      isDownloaded = true;
      release('slow');
    }, 100);
    await expect(files.use(filesOf('missing', 'slow'), async () => undefined)).rejects.toBeInstanceOf(
      FileNotFoundError,
    );
    expect(isDownloaded).toBe(true);
    expect(await copied()).toEqual([]);
  });

  it('keeps copies in use, even if they exceed the size limit', async () => {
    const { files, release } = copies();
    for (const key of ['a', 'b', 'c']) release(key);
    await files.use(filesOf('a', 'b'), async (paths) => {
      const others = Array.from({ length: 5 }, () => files.use(filesOf('c'), async ([path]) => access(path as string)));
      await Promise.all(others);
      for (const path of paths) await access(path);
    });
    expect(await copied()).toEqual([]);
  });
});
