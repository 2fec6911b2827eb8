import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Loopback {
  /** Such as `http://127.0.0.1:4711`. */
  readonly origin: string;
  /** Ends open requests too. */
  close(): Promise<void>;
}

/** A server of the outside world, on a free port of 127.0.0.1. */
export async function listenOnLoopback(listener: RequestListener): Promise<Loopback> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
