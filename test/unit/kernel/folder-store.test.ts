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

describe('a store in a folder', () => {
  describeFileStore(() => ({
    ...{ store, blockSize: BLOCK },
    things: async () => (await namesBelow(files)).length,
  }));

  it('keeps files for its own user alone', async () => {
    const key = aKey();
    await store.put(key, chunksOf(Buffer.from('a')));
    const modes = await Promise.all(['.', '.parts', key, join(key, '..')].map((path) => stat(join(files, path))));
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '700', '600', '700']);
  });

  it('shows a file under its key only once it is whole', async () => {
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

  it('takes no more from a source than it writes', async () => {
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

  it('lets the first of two win that come at once, and never mixes them', async () => {
    const key = aKey();
    const [first, second] = ['first', 'other'].map((word) => Buffer.from(word.repeat(100_000)));
    const ends = await Promise.allSettled([first, second].map((bytes) => store.put(key, chunksOf(bytes as Buffer))));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const winner = ends[0]?.status === 'fulfilled' ? first : second;
    expect((await buffer(await store.open(key))).equals(winner as Buffer)).toBe(true);
    expect(await namesBelow(join(files, '.parts'))).toEqual([]);
  });

  it('deletes what puts of the key have left behind, and of no other key', async () => {
    const key = aKey();
    const left = [`${key}=1`, `${key}=2`, `${key}0=1`, `${key}~b=1`].map((name) => name.replace('/', '~'));
    for (const name of left) await writeFile(join(files, '.parts', name), 'left');
    await store.delete(key);
    expect((await namesBelow(join(files, '.parts'))).sort()).toEqual(left.slice(2).sort());
    for (const name of left) await rm(join(files, '.parts', name), { force: true });
  });

  it('finds no file where a key is the folder of others, or goes through a file', async () => {
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

  it('is at fault, and no file missing, where its folder is away', async () => {
    const away = join(folder, 'away');
    const gone = await FolderStore.open(away);
    await gone.put('a', chunksOf(Buffer.from('a')));
    await rm(away, { recursive: true });
    const calls = [() => gone.open('a'), () => gone.readHead('a', 1), () => gone.sizeOf('a'), () => gone.delete('a')];
    for (const call of [...calls, () => gone.put('b', chunksOf(Buffer.from('b')))])
      await expect(call()).rejects.toMatchObject({ name: 'FileStoreError', code: 'ENOENT' });
  });
});

describe('the store of the configuration', () => {
  it('is the folder files of DATA_DIR, where nothing else is said', async () => {
    const inData = await createFileStore(readConfig({ DATA_DIR: join(folder, 'data') }));
    await inData.put('a', chunksOf(Buffer.from('a')));
    expect(String(await readFile(join(folder, 'data', 'files', 'a')))).toBe('a');
  });

  it('is the folder of STORAGE_URL, and finds again what was kept there', async () => {
    const config = readConfig({ STORAGE_URL: `file://${folder}/of%20its%20own` });
    await (await createFileStore(config)).put('a', chunksOf(Buffer.from('a')));
    expect(String(await (await createFileStore(config)).readHead('a', 1))).toBe('a');
    expect(await namesBelow(join(folder, 'of its own'))).toEqual(['a']);
  });

  it('leaves folders around it open to those who could enter them', async () => {
    await createFileStore(readConfig({ DATA_DIR: join(folder, 'new') }));
    expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o777 & ~process.umask());
  });

  it('ends the start with one line where the folder cannot be made', async () => {
    await writeFile(join(folder, 'file'), '');
    const error = await createFileStore(readConfig({ STORAGE_URL: `file://${folder}/file/below` })).catch((e) => e);
    expect(error).toBeInstanceOf(StartupError);
    expect(error.message).toBe(`STORAGE_URL: files cannot be stored in ${folder}/file/below (EEXIST)`);
  });
});
