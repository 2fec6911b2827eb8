import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.js';
import { createFileStore } from '../../../src/create-file-store.js';
import { FileNotFoundError, FileStoreError } from '../../../src/kernel/files/file-store.js';
import { FolderStore } from '../../../src/kernel/files/folder-store.js';
import { StartupError } from '../../../src/kernel/startup-error.js';
import {
  aKey,
  chunksOf,
  describeFileStore,
  namesBelow,
  someBytes,
} from '../../support/artifacts/file-store-contract.js';

const BLOCK = 256 * 1024;

let folder: string;
let files: string;
let store: FolderStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproot-files-'));
  files = join(folder, 'a', 'files');
  store = await FolderStore.open(files);
});

afterAll(() => rm(folder, { recursive: true }));

describe('FolderStore', () => {
  describeFileStore(() => ({
    ...{ store, blockSize: BLOCK },
    countObjects: async () => (await namesBelow(files)).length,
  }));

  it('creates files that only its own user can read', async () => {
    const key = aKey();
    await store.put(key, chunksOf(Buffer.from('a')));
    const modes = await Promise.all(['.', '.parts', key, join(key, '..')].map((path) => stat(join(files, path))));
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '700', '600', '700']);
  });

  it('makes a file visible only when it is complete', async () => {
    const key = aKey();
    const seen: unknown[] = [];
    const watched = async function* () {
      yield someBytes(2 * BLOCK);
      seen.push(await store.sizeOf(key), await namesBelow(join(files, '.parts')));
    };
    await store.put(key, watched());
    expect(seen).toEqual([undefined, [expect.stringContaining(key.replace('/', '~'))]]);
    expect(await store.sizeOf(key)).toBe(2 * BLOCK);
  });

  it('reads from a source no faster than it writes', async () => {
    const key = aKey();
    const ahead: number[] = [];
    const watched = async function* () {
      for (let taken = 0; taken < 16 * BLOCK; taken += 65_536) {
        const [part] = await namesBelow(join(files, '.parts'));
        ahead.push(taken - (await stat(join(files, '.parts', part as string))).size);
        yield Buffer.alloc(65_536);
      }
    };
    await store.put(key, watched());
    expect(Math.max(...ahead)).toBeLessThan(BLOCK);
  });

  it('keeps the first of two concurrent puts, and never mixes their bytes', async () => {
    const key = aKey();
    const [first, second] = ['first', 'other'].map((word) => Buffer.from(word.repeat(100_000)));
    const ends = await Promise.allSettled([first, second].map((bytes) => store.put(key, chunksOf(bytes as Buffer))));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const winner = ends[0]?.status === 'fulfilled' ? first : second;
    expect((await buffer(await store.open(key))).equals(winner as Buffer)).toBe(true);
    expect(await namesBelow(join(files, '.parts'))).toEqual([]);
  });

  it('deletes leftovers of interrupted puts of the key, but of no other key', async () => {
    const key = aKey();
    const left = [`${key}=1`, `${key}=2`, `${key}0=1`, `${key}~b=1`].map((name) => name.replace('/', '~'));
    for (const name of left) await writeFile(join(files, '.parts', name), 'left');
    await store.delete(key);
    expect((await namesBelow(join(files, '.parts'))).sort()).toEqual(left.slice(2).sort());
    for (const name of left) await rm(join(files, '.parts', name), { force: true });
  });

  it('finds no file for a key that is a folder or has a file as parent', async () => {
    const key = aKey();
    await store.put(`${key}/a`, chunksOf(Buffer.from('a')));
    for (const other of [key, `${key}/a/b`]) {
      expect(await store.sizeOf(other)).toBeUndefined();
      await expect(store.open(other)).rejects.toThrow(FileNotFoundError);
      await expect(store.readHead(other, 1)).rejects.toThrow(FileNotFoundError);
    }
    await expect(store.put(`${key}/a/b`, chunksOf(Buffer.from('a')))).rejects.toThrow(FileStoreError);
    await expect(store.put(key, chunksOf(Buffer.from('a')))).rejects.toThrow(FileStoreError);
    expect(await namesBelow(join(files, '.parts'))).toEqual([]);
  });

  it('throws FileStoreError, not FileNotFoundError, if its folder is missing', async () => {
    const away = join(folder, 'away');
    const gone = await FolderStore.open(away);
    await gone.put('a', chunksOf(Buffer.from('a')));
    await rm(away, { recursive: true });
    const calls = [() => gone.open('a'), () => gone.readHead('a', 1), () => gone.sizeOf('a'), () => gone.delete('a')];
    for (const call of [...calls, () => gone.put('b', chunksOf(Buffer.from('b')))])
      await expect(call()).rejects.toMatchObject({ name: 'FileStoreError', code: 'ENOENT' });
  });
});

describe('the configured file store', () => {
  it('defaults to the folder files in DATA_DIR', async () => {
    const inData = await createFileStore(readConfig({ DATA_DIR: join(folder, 'data') }));
    await inData.put('a', chunksOf(Buffer.from('a')));
    expect(String(await readFile(join(folder, 'data', 'files', 'a')))).toBe('a');
  });

  it('is the folder of STORAGE_URL, with its existing files', async () => {
    const config = readConfig({ STORAGE_URL: `file://${folder}/of%20its%20own` });
    await (await createFileStore(config)).put('a', chunksOf(Buffer.from('a')));
    expect(String(await (await createFileStore(config)).readHead('a', 1))).toBe('a');
    expect(await namesBelow(join(folder, 'of its own'))).toEqual(['a']);
  });

  it('keeps the permissions of its parent folders', async () => {
    await createFileStore(readConfig({ DATA_DIR: join(folder, 'new') }));
    expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o777 & ~process.umask());
  });

  it('fails at startup with a one-line message if the folder cannot be created', async () => {
    await writeFile(join(folder, 'file'), '');
    const error = await createFileStore(readConfig({ STORAGE_URL: `file://${folder}/file/below` })).catch((e) => e);
    expect(error).toBeInstanceOf(StartupError);
    expect(error.message).toBe(`STORAGE_URL: files cannot be stored in ${folder}/file/below (EEXIST)`);
  });
});
