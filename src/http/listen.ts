import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { StartupError } from '../kernel/startup-error.js';

/**
 * Throws `StartupError` with the names of the configuration variables. `prefix` is the start of these names, such as
 * `METRICS_` in `METRICS_PORT`.
 */
export async function listenOn(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  prefix: string,
): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${code})`;
    throw new StartupError(`port ${port} on ${host} ${why}. Set ${prefix}PORT or ${prefix}HOST`);
  });
}

/** For a server on all interfaces, the host is `localhost`. */
export function serverUrl(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const everywhere = host === '0.0.0.0' || host === '::';
  return `http://${everywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host}:${port}`;
}
