import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { OutboundClient, OutboundError } from '../../../src/kernel/outbound/outbound-client.js';
import { listen } from './loopback.js';

/** Returns the reason of the `OutboundError`, or `a reply` if the call succeeds. */
export async function reasonOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => 'a reply',
    (thrown: unknown) => thrown,
  );
  return error instanceof OutboundError ? error.reason : `${error}`;
}

/** Closes all clients and servers after each test. */
export function outboundServers() {
  const ends: (() => unknown)[] = [];
  const seen: IncomingMessage[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    seen.length = 0;
  });
  const open = (server: Server): Promise<string> => {
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => sockets.add(socket));
    ends.push(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    return listen(server);
  };
  return {
    seen,
    atEnd: (end: () => unknown): void => void ends.push(end),
    anOutbound(options: Partial<ConstructorParameters<typeof OutboundClient>[0]> = {}): OutboundClient {
      const outbound = new OutboundClient({ allow: ['127.0.0.1/32'], ...options });
      ends.push(() => outbound.close());
      return outbound;
    },
    serve: (answer: RequestListener = (_, response) => void response.end()): Promise<string> =>
      open(createServer(answer).on('request', (request) => seen.push(request))),
    serveRaw: (answer: (socket: Socket) => unknown): Promise<string> =>
      open(createTcpServer((socket) => answer(socket.on('error', () => {}).resume()))),
  };
}

/** Waits until the client has closed these sockets. Rejects after 30 seconds. */
export async function closed(sockets: readonly Socket[]): Promise<void> {
  const signal = AbortSignal.timeout(30_000);
  for (const socket of sockets) if (!socket.closed) await once(socket, 'close', { signal });
}
