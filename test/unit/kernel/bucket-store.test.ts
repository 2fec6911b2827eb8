import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.js';
import { createFileStore } from '../../../src/create-file-store.js';
import type { FileStore } from '../../../src/kernel/files/file-store.js';
import { StartupError } from '../../../src/kernel/startup-error.js';
import { aKey, chunksOf, describeFileStore, someBytes } from '../../support/artifacts/file-store-contract.js';
import { BUCKET_CREDENTIALS, BucketServer, respondWithS3Error } from '../../support/servers/bucket-server.js';
import { listenOnLoopback } from '../../support/servers/loopback.js';

const PART = 5 * 2 ** 20;

let server: BucketServer;
let store: FileStore;

beforeAll(async () => {
  Object.assign(process.env, BUCKET_CREDENTIALS);
  server = await new BucketServer().open();
  store = await aStore();
});

afterEach(() => {
  server.answer = undefined;
});

afterAll(() => server.close());

const aStore = (env: Record<string, string> = {}): Promise<FileStore> =>
  createFileStore(readConfig({ STORAGE_URL: server.address('of/taproot'), ...env }));

function answering(pattern: RegExp, answer: (request: IncomingMessage, response: ServerResponse) => void): void {
  server.answer = (request, response) => {
    const fits = pattern.test(`${request.method} ${request.url}`);
    if (fits) answer(request, response);
    return fits;
  };
}

const keep = async (bytes: Buffer): Promise<string> => {
  const key = aKey();
  await store.put(key, chunksOf(bytes));
  return key;
};

async function startOf(env: Record<string, string>): Promise<StartupError> {
  const error = await aStore(env).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartupError);
  return error as StartupError;
}

describe('BucketStore', () => {
  it('names the URL of a file, with the prefix', () => {
    expect(store.urlOf('tables/one.parquet')).toBe('s3://files/of/taproot/tables/one.parquet');
  });

  describeFileStore(() => ({
    ...{ store, blockSize: PART },
    countObjects: async () => (await server.keys()).length,
  }));

  it('stores keys under its prefix, or at the root without a prefix', async () => {
    const key = aKey();
    await store.put(key, chunksOf(Buffer.from('a')));
    await (await aStore({ STORAGE_URL: server.address() })).put(key, chunksOf(Buffer.from('b')));
    expect((await server.keys()).filter((name) => name.endsWith(key)).sort()).toEqual([key, `of/taproot/${key}`]);
  });

  it('chooses a part size with which the largest file has 10,000 parts', async () => {
    const large = await aStore({ MAX_UPLOAD_BYTES: `${6 * 2 ** 20 * 10_000}` });
    const [before, key] = [server.requests.length, aKey()];
    await large.put(key, chunksOf(someBytes(6 * 2 ** 20)));
    await large.delete(key);
    expect(server.requests.slice(before).filter((line) => line.startsWith('PUT'))).toEqual([
      expect.not.stringContaining('partNumber'),
    ]);
  });

  it('buffers at most the parts being uploaded and one further part', async () => {
    const [ahead, before]: [number[], number] = [[], server.received];
    const watched = async function* () {
      for (let taken = 0; taken < 5 * PART; taken += 65_536) {
        ahead.push(taken - (server.received - before));
        yield Buffer.alloc(65_536);
      }
    };
    const key = aKey();
    await store.put(key, watched());
    await store.delete(key);
    expect(Math.max(...ahead)).toBeLessThanOrEqual(3 * PART + 2 * 65_536);
  });

  it.each([
    ['a part', /partNumber=2/, 403, 'AccessDenied'],
    ['a part repeatedly', /partNumber=1/, 500, 'InternalError'],
    ['the start of an upload', /POST .*\?uploads/, 403, 'AccessDenied'],
    ['its end', /POST .*\?uploadId=/, 400, 'EntityTooSmall'],
  ])('throws FileStoreError and stores nothing if the server rejects %s', async (_, pattern, status, code) => {
    const [before, key] = [await server.keys(), aKey()];
    answering(pattern, (_request, response) => respondWithS3Error(response, status, code));
    const put = store.put(key, chunksOf(someBytes(2 * PART)));
    await expect(put).rejects.toMatchObject({ name: 'FileStoreError', code });
    expect(await server.keys()).toEqual(before);
  });

  it('throws FileStoreError if the server rejects a part before the source ends', async () => {
    const [before, key] = [await server.keys(), aKey()];
    answering(/partNumber=1/, (_request, response) => respondWithS3Error(response, 403, 'AccessDenied'));
    const endless = async function* () {
      for (;;) yield* chunksOf(someBytes(PART));
    };
    await expect(store.put(key, endless())).rejects.toMatchObject({ name: 'FileStoreError', code: 'AccessDenied' });
    expect(await server.keys()).toEqual(before);
  });

  it('retries a request that fails once', async () => {
    let times = 0;
    server.answer = (request, response) => {
      const isFirst = request.method === 'PUT' && times++ === 0;
      if (isFirst) respondWithS3Error(response, 503, 'SlowDown');
      return isFirst;
    };
    const key = await keep(Buffer.from('abc'));
    expect([String(await store.readHead(key, 3)), times]).toEqual(['abc', 2]);
  });

  it('throws the error of the source if the upload cannot be aborted, and deletes its parts later', async () => {
    const [before, key, gone] = [await server.keys(), aKey(), new Error('the client disconnected')];
    answering(/^DELETE .*uploadId=/, (_request, response) => respondWithS3Error(response, 403, 'AccessDenied'));
    const leaving = async function* () {
      yield* chunksOf(someBytes(2 * PART));
      throw gone;
    };
    await expect(store.put(key, leaving())).rejects.toBe(gone);
    expect(await server.keys()).toHaveLength(before.length + 1);
    server.answer = undefined;
    await store.delete(key);
    expect(await server.keys()).toEqual(before);
  });

  it('deletes all unfinished uploads of the key, but of no other key', async () => {
    const key = aKey();
    const objects = [key, key, `${key}0`].map((name) => `of/taproot/${name}`);
    const address = new URL(new URL(server.address()).searchParams.get('endpoint') as string);
    for (const name of objects) await fetch(`${address}files/${name}?uploads`, { method: 'POST' });
    await store.delete(key);
    expect((await server.keys()).filter((name) => name.includes(key))).toEqual([objects[2]]);
    await store.delete(`${key}0`);
  });

  it('reads only the first bytes from a server that ignores ranges', async () => {
    const endless = function* () {
      for (;;) yield 'abcdefgh';
    };
    answering(/^GET/, (_request, response) => void pipeline(Readable.from(endless()), response, () => undefined));
    expect(String(await store.readHead(aKey(), 10))).toBe('abcdefghab');
  });

  it('stores nothing if the completion of the upload is not confirmed', async () => {
    const [before, key] = [await server.keys(), aKey()];
    server.answer = ({ method, url }, response) => {
      if (method === 'POST' && url?.includes('uploadId=')) Object.assign(response, { end: () => response.destroy() });
      return false;
    };
    await expect(store.put(key, chunksOf(someBytes(2 * PART)))).rejects.toMatchObject({ name: 'FileStoreError' });
    expect(server.requests.some((line) => line.startsWith(`POST /files/of/taproot/${key}?uploadId`))).toBe(true);
    expect(await server.keys()).toEqual(before);
  });

  it('throws FileStoreError if the response body is truncated', async () => {
    const key = await keep(Buffer.from('abcdefg'));
    answering(/^GET/, (_request, response) => {
      response.writeHead(200, { 'content-length': 1_000 }).write('abc', () => response.destroy());
    });
    const cut = { name: 'FileStoreError', code: 'ECONNRESET' };
    await expect(store.open(key).then((stream) => stream.toArray())).rejects.toMatchObject(cut);
    await expect(store.readHead(key, 100)).rejects.toMatchObject(cut);
  });

  it('throws FileStoreError, not FileNotFoundError, if the bucket does not exist', async () => {
    const key = aKey();
    server.answer = (_request, response) => {
      respondWithS3Error(response, 404, 'NoSuchBucket');
      return true;
    };
    const failed = expect.objectContaining({ name: 'FileStoreError' });
    const calls = [() => store.sizeOf(key), () => store.open(key), () => store.readHead(key, 1)];
    for (const call of [...calls, () => store.delete(key), () => store.put(key, chunksOf(Buffer.from('a')))])
      await expect(call()).rejects.toEqual(failed);
  });

  it('throws FileStoreError if the server is unreachable', async () => {
    answering(/./, (request) => request.destroy());
    const calls = [() => store.sizeOf(aKey()), () => store.open(aKey()), () => store.delete(aKey())];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ name: 'FileStoreError' });
  });
});

describe('startup with a bucket', () => {
  it.each([
    ['is missing', 404, 'NoSuchBucket', 'NotFound'],
    ['is not accessible', 403, 'AccessDenied', 'HTTP 403'],
  ])('fails with a one-line message if the bucket %s', async (_, status, code, told) => {
    answering(/^HEAD/, (_request, response) => respondWithS3Error(response, status, code));
    expect((await startOf({})).message).toBe(`STORAGE_URL: the bucket files cannot be used (${told})`);
  });

  it('fails with a one-line message if no server listens', async () => {
    const { origin, close } = await listenOnLoopback(() => undefined);
    await close();
    const error = await startOf({ STORAGE_URL: `s3://files?endpoint=${origin}&forcePathStyle=true` });
    expect(error.message).toMatch(/^STORAGE_URL: the bucket files cannot be used \(\w+\)$/);
  });

  it('fails with a one-line message without a region', async () => {
    process.env.AWS_CONFIG_FILE = join(tmpdir(), 'taproot-has-no-such-file');
    const error = await startOf({ STORAGE_URL: 's3://files' });
    expect(error.message).toBe('STORAGE_URL: the bucket files cannot be used (NoRegion)');
  });
});
