import { createWriteStream, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/database/test-jobs.js';
import { multipartBody, multipartPart } from '../../support/servers/form-server.js';
import { UploadServer } from '../../support/servers/upload-server.js';
import { atScale } from '../../support/soak.js';

const MIB = 1024 * 1024;
const TIMES = atScale(50, 1_000);
const LARGE = atScale(48, 200) * MIB;
const FORM = 'multipart/form-data; boundary=b';
const START = `${multipartPart('data', '{}')}--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n`;
const CHUNK = Buffer.alloc(64 * 1024, 'a');

let server: UploadServer;

beforeEach(() => {
  server = new UploadServer();
});

afterEach(() => server.stop());

function openFiles(): number {
  return readdirSync('/proc/self/fd').length;
}

async function refuseLarge({ file }: { file: { bytes: AsyncIterable<Buffer> } | undefined }, most: number) {
  let length = 0;
  for await (const chunk of file?.bytes ?? []) {
    length += chunk.length;
    if (length > most) throw Object.assign(new Error('too large'), { status: 413, expose: true });
  }
  return { length };
}

describe('a rejection while the client still sends', () => {
  beforeEach(() => server.start());

  it.each([1, 10 * MIB])('over %d bytes reaches a client that reads only after sending everything', async (most) => {
    server.work = (form) => refuseLarge(form as never, most);
    const client = server.begin({ 'content-type': FORM, 'content-length': LARGE });
    client.socket.pause(); // Some clients read the response only after they have sent the whole request.
    await client.send(START);
    await client.send(CHUNK, LARGE / CHUNK.length - 1);
    client.socket.resume();
    await waitUntil(() => client.status !== undefined);
    expect([client.status, client.isReset]).toEqual([413, false]);
    client.socket.destroy();
  });

  it('reaches fetch', async () => {
    server.work = (form) => refuseLarge(form as never, MIB);
    const form = new FormData();
    form.append('data', '{}');
    form.append('file', new Blob(Array<Uint8Array<ArrayBuffer>>(LARGE / MIB).fill(new Uint8Array(MIB))), 'a.csv');
    const reply = await fetch(server.url, { method: 'POST', body: form });
    expect([reply.status, await reply.text()]).toEqual([413, 'too large']);
  });

  it('is sent before the rest of the request arrives, and the connection remains usable afterwards', async () => {
    server.work = async () => {
      throw Object.assign(new Error('no'), { status: 422, expose: true });
    };
    const end = `\r\n--b--\r\n`;
    const client = server.begin({ 'content-type': FORM, 'content-length': START.length + 3 + end.length });
    await client.send(`${START}a`);
    await waitUntil(() => client.status === 422);
    expect(server.pending).toBe(0);
    client.received = '';
    await client.send(`aa${end}POST /ignored HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`);
    await waitUntil(() => client.status === 200);
    client.socket.destroy();
  });

  it('comes before the body for a client with Expect: 100-continue, which otherwise gets a 100', async () => {
    const head = { 'content-type': FORM, 'content-length': 1_000_000, expect: '100-continue' };
    const wrong = server.begin({ ...head, 'content-type': 'multipart/form-data' });
    await waitUntil(() => wrong.status !== undefined);
    expect(wrong.received).toMatch(/^HTTP\/1\.1 500 /);
    const right = server.begin(head);
    await waitUntil(() => right.status !== undefined);
    expect(right.received).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    for (const { socket } of [wrong, right]) socket.destroy();
  });
});

describe('the rest of a request after its response', () => {
  it('is discarded for a limited time, then the connection is closed', async () => {
    await server.start({ drainMs: 1_500 });
    const client = server.begin({ 'content-type': 'text/plain', 'content-length': 1_000 }, '/ignored');
    await client.send('a');
    await waitUntil(() => client.status === 200);
    expect(await server.connections()).toBe(1);
    for (let sent = 0; !client.socket.destroyed && sent < 600; sent++) {
      await client.send('a'); // Keeps the connection busy, because the server closes idle connections anyway.
      await sleep(50);
    }
    await client.closed;
    expect(await server.connections()).toBe(0);
  });

  it('is discarded up to a limited size, then the connection is closed', async () => {
    await server.start({ drainBytes: 4 * MIB });
    const client = server.begin({ 'content-type': 'text/plain', 'transfer-encoding': 'chunked' }, '/ignored');
    await waitUntil(() => client.status === 200);
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), CHUNK, Buffer.from('\r\n')]);
    await client.send(chunk, 100_000);
    await client.closed;
    expect(await server.connections()).toBe(0);
  });
});

describe('a client that disconnects', () => {
  it('ends the reading of its file and leaves nothing open, even after many repetitions', async () => {
    await server.start();
    const folder = await mkdtemp(join(tmpdir(), 'taproot-left-'));
    const faults: string[] = [];
    let begun = 0;
    server.work = async ({ file }) => {
      begun += 1;
      await pipeline(
        (file as { bytes: NodeJS.ReadableStream }).bytes,
        createWriteStream(join(folder, String(begun))),
      ).catch((error: Error) => {
        faults.push(error.message);
        throw error;
      });
    };
    const before = openFiles();
    for (let left = 0; left < TIMES; left++) {
      const client = server.begin({ 'content-type': FORM, 'content-length': MIB });
      await client.send(START);
      await client.send(CHUNK.subarray(0, 100 + ((left * 1_000) % 60_000)));
      await waitUntil(() => begun === left + 1);
      if (left % 2) client.socket.destroy();
      else client.socket.resetAndDestroy();
    }
    await waitUntil(() => server.pending === 0);
    expect(new Set(faults)).toEqual(new Set(['The body ended early. Send the request again.']));
    expect(faults).toHaveLength(TIMES);
    await waitUntil(() => openFiles() <= before);
    expect(await server.connections()).toBe(0);
    await rm(folder, { recursive: true });
  });

  it('is detected while the service waits for the file', async () => {
    await server.start();
    const waiting = Promise.withResolvers<void>();
    const failed = Promise.withResolvers<Error>();
    server.work = async ({ file }) => {
      file?.bytes.once('error', failed.resolve).resume();
      waiting.resolve();
      throw await failed.promise;
    };
    const client = server.begin({ 'content-type': FORM, 'content-length': MIB });
    await client.send(`${START}a,b\r\n1,2`);
    await waiting.promise;
    client.socket.destroy();
    expect((await failed.promise).message).toBe('The body ended early. Send the request again.');
    await waitUntil(() => server.pending === 0);
  });

  it('is detected by a reader that starts later', async () => {
    await server.start();
    const goOn = Promise.withResolvers<void>();
    const read = Promise.withResolvers<unknown>();
    const waiting = Promise.withResolvers<void>();
    server.work = async ({ file }) => {
      waiting.resolve();
      await goOn.promise;
      read.resolve(
        await buffer((file as { bytes: NodeJS.ReadableStream }).bytes).catch((error: Error) => error.message),
      );
    };
    const client = server.begin({ 'content-type': FORM, 'content-length': 10 * MIB });
    await client.send(START);
    client.socket.end(Buffer.alloc(5 * MIB));
    await waiting.promise;
    await sleep(50);
    client.socket.destroy();
    goOn.resolve();
    expect(await read.promise).toBe('The body ended early. Send the request again.');
    await waitUntil(() => server.pending === 0);
  });
});

describe('an unread file', () => {
  it('does not delay the response, whether the request succeeds or fails', async () => {
    await server.start();
    const ways = [
      async () => ({}),
      async () => Promise.reject(Object.assign(new Error('no'), { status: 400 })),
      async ({ file }: { file?: { bytes: { destroy(): void } } }) => {
        file?.bytes.destroy();
      },
    ];
    const statuses: number[] = [];
    for (const way of ways) {
      server.work = way as never;
      const body = multipartBody(multipartPart('data', '{}'), multipartPart('file', 'a'.repeat(3 * MIB), 'a.csv'));
      const reply = await fetch(server.url, { method: 'POST', body, headers: { 'content-type': FORM } });
      statuses.push(reply.status);
      await reply.text();
    }
    expect(statuses).toEqual([200, 400, 200]);
    expect(server.pending).toBe(0);
  });

  it('applies backpressure to the client', async () => {
    await server.start();
    const goOn = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<Readable>();
    server.work = async ({ file }) => {
      const bytes = file?.bytes as Readable;
      let length = 0;
      for await (const chunk of bytes) {
        begun.resolve(bytes);
        if (length === 0) await goOn.promise;
        length += chunk.length;
      }
      return { length };
    };
    const client = server.begin({ 'content-type': FORM, 'transfer-encoding': 'chunked' });
    const chunk = (bytes: string | Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]);
    await client.send(chunk(START));
    let isSent = false;
    const sending = client.send(chunk(CHUNK), 800).then(() => (isSent = true));
    const bytes = await begun.promise;
    for (let still = 0, before = -1; still < 10; await sleep(50)) {
      still = client.socket.bytesWritten === before ? still + 1 : 0;
      before = client.socket.bytesWritten;
    }
    expect(isSent).toBe(false);
    expect(bytes.readableLength).toBeLessThan(MIB);
    goOn.resolve();
    await sending;
    await client.send(chunk('\r\n--b--\r\n'));
    await client.send('0\r\n\r\n');
    await waitUntil(() => client.received.includes(`{"length":${800 * CHUNK.length}}`));
    client.socket.destroy();
  });
});
