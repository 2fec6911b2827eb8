import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const RECEIVED = 'http.server.request.start';

/**
 * Resolves 2 seconds after the services of this process have received `count` requests for the path. By then, the
 * services are handling these requests.
 */
export async function untilReceived(path: string, count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let received = 0;
  const countRequest = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    if (request.url === path && ++received === count) resolve();
  };
  subscribe(RECEIVED, countRequest);
  await promise.finally(() => unsubscribe(RECEIVED, countRequest));
  await sleep(2_000);
}
