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
  /** Bytes that it writes at once. */
  readonly blockSize: number;
  /** How much there is in the store by now: files, parts of files and whatever else. */
  things(): Promise<number>;
}

let made = 0;

/** One that no test has had before. */
export function aKey(): string {
  made += 1;
  return `4bYTs6MVQrTz5jqVzDqzmA/file-${made}`;
}

/** The same bytes for the same size, and others in every block. */
export function someBytes(size: number): Buffer {
  const words = new Uint32Array(Math.ceil(size / 4));
  for (let at = 0; at < words.length; at++) words[at] = at * 2_654_435_761;
  return Buffer.from(words.buffer, 0, size);
}

/** Chunks of the sizes in which requests arrive. */
export async function* chunksOf(bytes: Buffer, size = 65_536): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Names of the files below a folder; the folders of keys stay. */
export async function namesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
}

async function* thenThrowing(bytes: Buffer, error: Error): AsyncGenerator<Buffer> {
  yield* chunksOf(bytes);
  throw error;
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What `src/kernel/files/file-store.ts` promises, whichever store it is. */
export function describeFileStore(contracted: () => FileStoreUnderTest): void {
  const store = (): FileStore => contracted().store;
  const keep = async (bytes: Buffer, key = aKey()): Promise<string> => {
    await store().put(key, chunksOf(bytes));
    return key;
  };
  const read = async (key: string): Promise<Buffer> => buffer(await store().open(key));

  describe('a file that is kept', () => {
    it.each<[string, (block: number) => number]>([
      ['nothing', () => 0],
      ['one byte', () => 1],
      ['a byte less than a block', (block) => block - 1],
      ['exactly a block', (block) => block],
      ['exactly two blocks', (block) => 2 * block],
      ['two blocks and a byte', (block) => 2 * block + 1],
    ])('comes back as it was: %s', async (_, sizeFor) => {
      const bytes = someBytes(sizeFor(contracted().blockSize));
      const key = await keep(bytes);
      expect(await store().sizeOf(key)).toBe(bytes.length);
      expect(digest(await read(key))).toBe(digest(bytes));
      await store().delete(key);
    });

    it('comes in chunks of any size, empty ones too', async () => {
      const key = aKey();
      await store().put(key, Readable.from(['a', '', 'bc', '', 'defg'].map((text) => Buffer.from(text))));
      expect(String(await read(key))).toBe('abcdefg');
    });

    it.each([
      [0, ''],
      [3, 'abc'],
      [7, 'abcdefg'],
      [8, 'abcdefg'],
    ])('shows its first %d bytes', async (length, head) => {
      const key = await keep(Buffer.from('abcdefg'));
      expect(String(await store().readHead(key, length))).toBe(head);
    });

    it('has a head where it is empty', async () => {
      expect(await store().readHead(await keep(Buffer.alloc(0)), 10)).toHaveLength(0);
    });

    it('never changes: another one under its key is refused', async () => {
      const key = await keep(Buffer.from('first'));
      const refusal = await keep(Buffer.from('second'), key).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(FileStoreError);
      expect(refusal).toMatchObject({ code: 'EEXIST' });
      expect(String(await read(key))).toBe('first');
    });

    it('can be had as a local file, which stays when it is deleted', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'taproot-copy-'));
      const bytes = someBytes(2 * contracted().blockSize + 1);
      const key = await keep(bytes);
      await store().copyTo(key, join(folder, 'copy'));
      await expect(store().copyTo(key, join(folder, 'copy'))).rejects.toThrow(FileStoreError);
      await expect(store().copyTo(key, join(folder, 'nowhere', 'copy'))).rejects.toThrow(FileStoreError);
      await store().delete(key);
      expect(digest(await readFile(join(folder, 'copy')))).toBe(digest(bytes));
      await rm(folder, { recursive: true });
    });

    it('can be let go of while it is read', async () => {
      const key = await keep(someBytes(4 * 2 ** 20));
      const stream = await store().open(key);
      for await (const chunk of stream) if (chunk.length > 0) break;
      expect(stream.destroyed).toBe(true);
      await store().delete(key);
    });
  });

  describe('a key with nothing under it', () => {
    it('is missing, and has no size', async () => {
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

    it('is what a deleted file leaves, and can be taken again', async () => {
      const key = await keep(Buffer.from('first'));
      await store().delete(key);
      await store().delete(key);
      expect(await store().sizeOf(key)).toBeUndefined();
      await keep(Buffer.from('second'), key);
      expect(String(await read(key))).toBe('second');
    });

    it('stays so while its neighbours are kept and deleted', async () => {
      const [key, longer] = [aKey(), aKey()];
      await keep(Buffer.from('kept'), `${longer}0`);
      await store().delete(longer);
      await store().delete(key);
      expect(await store().sizeOf(`${longer}0`)).toBe(4);
    });
  });

  describe('a source that throws', () => {
    it.each<[string, (block: number) => number]>([
      ['at once', () => 0],
      ['early', () => 100],
      ['in the middle', (block) => 2 * block + 100],
    ])('is heard as it is, and leaves nothing: %s', async (_, sizeFor) => {
      const before = await contracted().things();
      const key = aKey();
      const gone = new Error('the client has left');
      const bytes = thenThrowing(someBytes(sizeFor(contracted().blockSize)), gone);
      await expect(store().put(key, bytes)).rejects.toBe(gone);
      expect(await store().sizeOf(key)).toBeUndefined();
      expect(await contracted().things()).toBe(before);
    });

    it('may be a stream that is destroyed', async () => {
      const before = await contracted().things();
      const key = aKey();
      const leaving = async function* () {
        yield* chunksOf(someBytes(2 * contracted().blockSize));
        stream.destroy(new Error('the client has left'));
        yield* chunksOf(someBytes(contracted().blockSize));
      };
      const stream: Readable = Readable.from(leaving());
      await expect(store().put(key, stream)).rejects.toThrow('the client has left');
      expect(await store().sizeOf(key)).toBeUndefined();
      expect(await contracted().things()).toBe(before);
    });
  });

  it('keeps 20 files at once', async () => {
    const files = Array.from({ length: 20 }, (_, nth) => someBytes(200_000 + nth * 1_000));
    const keys = await Promise.all(files.map((bytes) => keep(bytes)));
    const back = await Promise.all(keys.map(read));
    expect(back.map(digest)).toEqual(files.map(digest));
    await Promise.all(keys.map((key) => store().delete(key)));
  });

  it.each(['', '/a', 'a/', 'a//b', '.', '..', '../a', 'a/../b', 'a/.b', '.parts/a', 'a b', 'a\0', 'ä', 'a\\b', '-a'])(
    'refuses %j as a key',
    async (key) => {
      const before = await contracted().things();
      await expect(store().put(key, chunksOf(Buffer.from('a')))).rejects.toThrow(TypeError);
      await expect(store().open(key)).rejects.toThrow(TypeError);
      await expect(store().copyTo(key, join(tmpdir(), 'taproot-no-copy'))).rejects.toThrow(TypeError);
      await expect(store().readHead(key, 1)).rejects.toThrow(TypeError);
      await expect(store().sizeOf(key)).rejects.toThrow(TypeError);
      await expect(store().delete(key)).rejects.toThrow(TypeError);
      expect(await contracted().things()).toBe(before);
    },
  );

  it('takes keys of 200 characters, and no longer ones', async () => {
    await keep(Buffer.from('long'), 'k'.repeat(200));
    expect(await store().sizeOf('k'.repeat(200))).toBe(4);
    await expect(keep(Buffer.from('long'), 'k'.repeat(201))).rejects.toThrow(TypeError);
  });
}
