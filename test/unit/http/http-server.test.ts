import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Koa from 'koa';
import { expect, it } from 'vitest';
import { createHttpServer } from '../../../src/http/http-server.js';
import { backgroundTurn } from '../../../src/kernel/concurrency/background-turn.js';
import { waitUntil } from '../../support/database/test-jobs.js';

it('limits connections, their idle time, and the time for headers and a whole request', () => {
  const { maxConnections, timeout, headersTimeout, requestTimeout } = createHttpServer(new Koa());
  expect({ maxConnections, timeout, headersTimeout, requestTimeout }).toEqual({
    ...{ maxConnections: 10_000, timeout: 120_000, headersTimeout: 10_000, requestTimeout: 3_610_000 },
  });
});

it('slows down background work while a request runs', async () => {
  const app = new Koa();
  app.use(async (ctx) => {
    const startedAt = performance.now();
    for (let piece = 0; piece < 4; piece++) {
      await backgroundTurn();
      for (const endsAt = performance.now() + 0.3; performance.now() < endsAt; );
    }
    ctx.body = { milliseconds: performance.now() - startedAt };
  });
  const server = createHttpServer(app).listen(0);
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.close();
  expect((await response.json()).milliseconds).toBeGreaterThan(2.5);
});

it('rejects a connection over the limit of its address and accepts one from another address', async () => {
  const server = createHttpServer(new Koa(), { connectionsPerAddress: 2 }).listen(0, '::');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const received = new Map<Socket, string>();
  const open = async (host: string): Promise<Socket> => {
    const socket = connect({ port, host });
    received.set(socket, '');
    socket.on('data', (chunk) => received.set(socket, received.get(socket) + String(chunk)));
    await once(socket, 'connect');
    return socket;
  };
  const isServed = async (socket: Socket): Promise<boolean> => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await waitUntil(() => received.get(socket) !== '');
    return received.get(socket)?.startsWith('HTTP/1.1 404 ') === true;
  };
  const first = await open('127.0.0.1');
  expect(await isServed(first)).toBe(true);
  expect(await isServed(await open('127.0.0.1'))).toBe(true);
  const third = await open('127.0.0.1');
  await once(third, 'close');
  expect(received.get(third)).toMatch(
    /^HTTP\/1.1 429 .*"TOO_MANY_REQUESTS: At most 2 connections from one address may be open\. Close one of them, or try again later\."}$/s,
  );
  expect(await isServed(await open('::1'))).toBe(true);

  first.destroy();
  await waitUntil(() => new Promise<boolean>((resolve) => server.getConnections((_, count) => resolve(count === 2))));
  expect(await isServed(await open('127.0.0.1'))).toBe(true);
  for (const socket of received.keys()) socket.destroy();
  server.close();
});
