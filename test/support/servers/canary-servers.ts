import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CanaryServers {
  readonly port: number;
  /** Returns the number of received connections. */
  reached(): number;
  close(): void;
}

/** No request of the service may reach these servers. */
export async function startCanaryServers(first: string, ...others: string[]): Promise<CanaryServers> {
  let reached = 0;
  for (;;) {
    const servers: Server[] = [];
    const close = () => {
      for (const server of servers) server.close();
    };
    const listen = async (host: string, port: number): Promise<number> => {
      const server = createServer((_, response) => response.end('canary')).on('connection', () => (reached += 1));
      servers.push(server);
      await once(server.listen(port, host), 'listening');
      return (server.address() as AddressInfo).port;
    };
    try {
      const port = await listen(first, 0);
      for (const host of others) await listen(host, port);
      return { port, reached: () => reached, close };
    } catch (error) {
      close();
      // If the port is in use at one of the other addresses, tries another port.
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}
