import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { FileNotFoundError, type FileStore, FileStoreError } from '../../../src/kernel/files/file-store.js';

export interface FileStoreUnderTest {
  readonly store: FileStore;
  /** Size of the blocks that the store writes, in bytes. */
  readonly blockSize: number;
  /** Includes unfinished files. */
  countObjects(): Promise<number>;
}

let keyCount = 0;

export function aKey(): string {
  keyCount += 1;
  return `4bYTs6MVQrTz5jqVzDqzmA/file-${keyCount}`;
}

/** Deterministic. Blocks differ from each other, so that a test detects swapped blocks. */
export function someBytes(size: number): Buffer {
  const words = new Uint32Array(Math.ceil(size / 4));
  for (let at = 0; at < words.length; at++) words[at] = at * 2_654_435_761;
  return Buffer.from(words.buffer, 0, size);
}

/** Like a request, yields chunks of 64 KiB. */
export async function* chunksOf(bytes: Buffer, size = 65_536): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Omits folders, because the store keeps them when it deletes a file. */
export async function namesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
}

async function* thenThrowing(bytes: Buffer, error: Error): AsyncGenerator<Buffer> {
  yield* chunksOf(bytes);
  throw error;
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

export function describeFileStore(underTest: () => FileStoreUnderTest): void {
  const store = (): FileStore => underTest().store;
  const put = async (bytes: Buffer, key = aKey()): Promise<string> => {
    await store().put(key, chunksOf(bytes));
    return key;
  };
  const read = async (key: string): Promise<Buffer> => buffer(await store().open(key));

  describe('a stored file', () => {
    it.each<[string, (block: number) => number]>([
      ['no bytes', () => 0],
      ['one byte', () => 1],
      ['one byte less than a block', (block) => block - 1],
      ['exactly one block', (block) => block],
      ['exactly two blocks', (block) => 2 * block],
      ['two blocks and one byte', (block) => 2 * block + 1],
    ])('is returned unchanged: %s', async (_, sizeFor) => {
      const bytes = someBytes(sizeFor(underTest().blockSize));
      const key = await put(bytes);
      expect(await store().sizeOf(key)).toBe(bytes.length);
      expect(digest(await read(key))).toBe(digest(bytes));
      await store().delete(key);
    });

    it('may arrive in chunks of any size, including empty chunks', async () => {
      const key = aKey();
      await store().put(key, Readable.from(['a', '', 'bc', '', 'defg'].map((text) => Buffer.from(text))));
      expect(String(await read(key))).toBe('abcdefg');
    });

    it.each([
      [0, ''],
      [3, 'abc'],
      [7, 'abcdefg'],
      [8, 'abcdefg'],
    ])('has a head of up to %d bytes', async (length, head) => {
      const key = await put(Buffer.from('abcdefg'));
      expect(String(await store().readHead(key, length))).toBe(head);
    });

    it('has an empty head if it is empty', async () => {
      expect(await store().readHead(await put(Buffer.alloc(0)), 10)).toHaveLength(0);
    });

    it('cannot be overwritten', async () => {
      const key = await put(Buffer.from('first'));
      const error = await put(Buffer.from('second'), key).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(FileStoreError);
      expect(error).toMatchObject({ code: 'EEXIST' });
      expect(String(await read(key))).toBe('first');
    });

    it('can be copied to a local file, which remains when the stored file is deleted', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'taproot-copy-'));
      const bytes = someBytes(2 * underTest().blockSize + 1);
      const key = await put(bytes);
      await store().copyTo(key, join(folder, 'copy'));
      await expect(store().copyTo(key, join(folder, 'copy'))).rejects.toThrow(FileStoreError);
      await expect(store().copyTo(key, join(folder, 'nowhere', 'copy'))).rejects.toThrow(FileStoreError);
      await store().delete(key);
      expect(digest(await readFile(join(folder, 'copy')))).toBe(digest(bytes));
      await rm(folder, { recursive: true });
    });

    it('can be deleted after a reader stops early', async () => {
      const key = await put(someBytes(4 * 2 ** 20));
      const stream = await store().open(key);
      for await (const chunk of stream) if (chunk.length > 0) break;
      expect(stream.destroyed).toBe(true);
      await store().delete(key);
    });
  });

  describe('a key without a file', () => {
    it('has no size and cannot be read', async () => {
      const key = aKey();
      expect(await store().sizeOf(key)).toBeUndefined();
      await expect(store().open(key)).rejects.toThrow(FileNotFoundError);
      await expect(store().copyTo(key, join(tmpdir(), 'taproot-no-copy'))).rejects.toThrow(FileNotFoundError);
      await expect(store().readHead(key, 10)).rejects.toThrow(FileNotFoundError);
      await expect(store().readHead(key, 0)).rejects.toThrow(FileNotFoundError);
    });

    it('can be deleted', async () => {
      await store().delete(aKey());
    });

    it('can be reused after its file is deleted', async () => {
      const key = await put(Buffer.from('first'));
      await store().delete(key);
      await store().delete(key);
      expect(await store().sizeOf(key)).toBeUndefined();
      await put(Buffer.from('second'), key);
      expect(String(await read(key))).toBe('second');
    });

    it('does not affect a longer key when it is deleted', async () => {
      const [key, longer] = [aKey(), aKey()];
      await put(Buffer.from('kept'), `${longer}0`);
      await store().delete(longer);
      await store().delete(key);
      expect(await store().sizeOf(`${longer}0`)).toBe(4);
    });
  });

  describe('a source that throws', () => {
    it.each<[string, (block: number) => number]>([
      ['immediately', () => 0],
      ['early', () => 100],
      ['in the middle', (block) => 2 * block + 100],
    ])('passes its error to the caller and leaves no data: %s', async (_, sizeFor) => {
      const before = await underTest().countObjects();
      const key = aKey();
      const sourceError = new Error('the client disconnected');
      const bytes = thenThrowing(someBytes(sizeFor(underTest().blockSize)), sourceError);
      await expect(store().put(key, bytes)).rejects.toBe(sourceError);
      expect(await store().sizeOf(key)).toBeUndefined();
      expect(await underTest().countObjects()).toBe(before);
    });

    it('leaves no data if it is a stream that is destroyed', async () => {
      const before = await underTest().countObjects();
      const key = aKey();
      const disconnecting = async function* () {
        yield* chunksOf(someBytes(2 * underTest().blockSize));
        stream.destroy(new Error('the client disconnected'));
        yield* chunksOf(someBytes(underTest().blockSize));
      };
      const stream: Readable = Readable.from(disconnecting());
      await expect(store().put(key, stream)).rejects.toThrow('the client disconnected');
      expect(await store().sizeOf(key)).toBeUndefined();
      expect(await underTest().countObjects()).toBe(before);
    });
  });

  it('stores 20 files concurrently', async () => {
    const files = Array.from({ length: 20 }, (_, nth) => someBytes(200_000 + nth * 1_000));
    const keys = await Promise.all(files.map((bytes) => put(bytes)));
    const back = await Promise.all(keys.map(read));
    expect(back.map(digest)).toEqual(files.map(digest));
    await Promise.all(keys.map((key) => store().delete(key)));
  });

  it.each(['', '/a', 'a/', 'a//b', '.', '..', '../a', 'a/../b', 'a/.b', '.parts/a', 'a b', 'a\0', 'ä', 'a\\b', '-a'])(
    'rejects %j as a key',
    async (key) => {
      const before = await underTest().countObjects();
      await expect(store().put(key, chunksOf(Buffer.from('a')))).rejects.toThrow(TypeError);
      await expect(store().open(key)).rejects.toThrow(TypeError);
      await expect(store().copyTo(key, join(tmpdir(), 'taproot-no-copy'))).rejects.toThrow(TypeError);
      await expect(store().readHead(key, 1)).rejects.toThrow(TypeError);
      await expect(store().sizeOf(key)).rejects.toThrow(TypeError);
      await expect(store().delete(key)).rejects.toThrow(TypeError);
      expect(await underTest().countObjects()).toBe(before);
    },
  );

  it('accepts keys of up to 200 characters', async () => {
    await put(Buffer.from('long'), 'k'.repeat(200));
    expect(await store().sizeOf('k'.repeat(200))).toBe(4);
    await expect(put(Buffer.from('long'), 'k'.repeat(201))).rejects.toThrow(TypeError);
  });
}
