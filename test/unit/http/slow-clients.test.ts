import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/database/test-jobs.js';
import { multipartBody, multipartPart } from '../../support/servers/form-server.js';
import { UploadServer } from '../../support/servers/upload-server.js';

/** Shorter than in production, but long enough for a busy machine. */
const LIMITS = { requestMs: 1_000, formMs: 30_000, paceIntervalMs: 500, paceBytes: 1_000, drainMs: 100 };
const FORM = 'multipart/form-data; boundary=b';
const START = `${multipartPart('data', '{}')}--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n`;

let server: UploadServer;
let faults: string[];

beforeEach(async () => {
  faults = [];
  server = new UploadServer();
  server.work = async ({ file }) => {
    const bytes = await buffer((file as { bytes: NodeJS.ReadableStream }).bytes).catch((error: Error) => {
      faults.push(error.message);
      throw error;
    });
    return { length: bytes.length };
  };
  await server.start(LIMITS);
});

afterEach(() => server.stop());

type Sender = ReturnType<UploadServer['begin']>;

/**
 * Sends a chunk every 50 ms until the connection ends, but for at most `formMs`. Returns the duration in milliseconds.
 */
async function trickle(client: Sender, chunk: string): Promise<number> {
  const startedAt = performance.now();
  while (!client.socket.destroyed && performance.now() - startedAt < LIMITS.formMs) {
    await client.send(chunk);
    await sleep(50);
  }
  return performance.now() - startedAt;
}

function expectLate({ received }: Sender): void {
  const [head = '', body] = received.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 408 REQUEST_TIMEOUT\r\n/);
  expect(head).toContain('X-Error-Code: REQUEST_TIMEOUT');
  expect(head).toContain('Connection: close');
  expect(body).toBe('{"error":"REQUEST_TIMEOUT: The request did not arrive in time. Send the request again."}');
}

describe('a request without a form', () => {
  it.each(['application/json', undefined])(
    'of type %s times out after a minute, even if nothing reads its body',
    async (type) => {
      const client = server.begin({ ...(type && { 'content-type': type }), 'content-length': 1_000 });
      const lasted = await trickle(client, 'a');
      expectLate(client);
      expect(lasted).toBeGreaterThan(LIMITS.requestMs - 50);
      expect(lasted).toBeLessThan(LIMITS.formMs);
      expect(await server.connections()).toBe(0);
    },
  );

  it('does not time out once it has arrived, even if the response takes long', async () => {
    const client = server.begin({ 'content-type': 'text/plain', 'content-length': 3 });
    await client.send('abc');
    await sleep(LIMITS.requestMs * 1.5);
    expect(client.received).toBe('');
    server.released.resolve();
    await waitUntil(() => client.status !== undefined);
    client.socket.destroy();
  });

  it('can reuse its connection for another request', async () => {
    for (const path of ['/ignored', '/ignored']) {
      const client = server.begin({ 'content-length': 1 }, path);
      await client.send('a');
      await waitUntil(() => client.status !== undefined);
      await sleep(LIMITS.requestMs / 2);
      client.received = '';
      await client.send(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n`);
      await sleep(LIMITS.requestMs / 2);
      await client.send('b');
      await waitUntil(() => client.status !== undefined);
      expect(client.status).not.toBe(408);
      client.socket.destroy();
    }
  });
});

describe('a form', () => {
  it('may take longer than a minute while it keeps the minimum pace', async () => {
    const end = '\r\n--b--\r\n';
    const client = server.begin({ 'content-type': FORM, 'content-length': START.length + 30_000 + end.length });
    await client.send(START);
    for (let sent = 0; sent < 30; sent++) {
      await client.send('a'.repeat(1_000));
      await sleep(50);
    }
    await client.send(end);
    await waitUntil(() => client.status !== undefined);
    expect(client.received).toContain('{"length":30000}');
    client.socket.destroy();
  });

  it('fails with 408 below the minimum pace, and its file reader fails too', async () => {
    const client = server.begin({ 'content-type': FORM, 'content-length': 1_000_000 });
    await client.send(START);
    const lasted = await trickle(client, 'a'.repeat(10));
    expectLate(client);
    expect(lasted).toBeLessThan(LIMITS.formMs);
    await waitUntil(() => server.pending === 0);
    expect(faults).toEqual(['The body ended early. Send the request again.']);
  });

  it('fails with 408 if no body arrives', async () => {
    const client = server.begin({ 'content-type': FORM, 'content-length': 1_000_000 });
    await client.closed;
    expectLate(client);
    await waitUntil(() => server.pending === 0);
  });

  it('fails with 408 after an hour, even at the minimum pace', async () => {
    const form = 1_500;
    await server.stop();
    await server.start({ ...LIMITS, formMs: form });
    const client = server.begin({ 'content-type': FORM, 'content-length': 1_000_000 });
    await client.send(START);
    const lasted = await trickle(client, 'a'.repeat(1_000));
    expectLate(client);
    expect(lasted).toBeGreaterThan(form - 50);
  });

  it('is not late while the service has not read its file yet', async () => {
    const goOn = Promise.withResolvers<void>();
    const { work } = server;
    server.work = (form, ctx) => goOn.promise.then(() => work(form, ctx));
    const body = multipartBody(multipartPart('data', '{}'), multipartPart('file', 'a'.repeat(8_000_000), 'a.csv'));
    const client = server.begin({ 'content-type': FORM, 'content-length': body.length });
    const sending = client.send(body);
    await sleep(LIMITS.paceIntervalMs * 2.5);
    expect(client.status).toBeUndefined();
    goOn.resolve();
    await sending;
    await waitUntil(() => client.status !== undefined);
    expect(client.received).toContain('{"length":8000000}');
    client.socket.destroy();
  });

  it('has the time limit of other requests on endpoints that accept no forms', async () => {
    const client = server.begin({ 'content-type': FORM.replace('boundary', 'nothing'), 'content-length': 1_000_000 });
    expect(await trickle(client, 'a'.repeat(1_000))).toBeLessThan(LIMITS.formMs);
    expect(client.status).toBe(500);
  });
});
