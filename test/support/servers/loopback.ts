import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';

export interface Loopback {
  readonly origin: string;
  close(): Promise<void>;
}

export async function listenOnLoopback(listener: RequestListener): Promise<Loopback> {
  const server = createServer(listener);
  return { origin: await listen(server), close: () => close(server) };
}

/** Listens on 127.0.0.1, by default on a free port. Returns the origin. */
export async function listen(server: NetServer, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return originOf(server);
}

export function originOf(server: NetServer): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Also ends open requests. */
export async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** Finds a free port for a program that cannot choose a port itself. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await close(server);
  return Number(port);
}
