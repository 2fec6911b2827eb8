import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed } from './kernel/changes/change-feed.js';
import type { Jobs } from './kernel/jobs/jobs.js';

export const SHUTDOWN_GRACE_MS = 10_000;

const IDLE_SWEEP_INTERVAL_MS = 50;

export interface RunningService {
  readonly servers: readonly Server[];
  readonly jobs: Jobs;
  /**
   * The feed is closed together with the ports, because open streams would otherwise last until the end of the grace
   * period.
   */
  readonly changes: ChangeFeed;
  /** The shutdown aborts this signal first. From then on, `/readyz` fails, and each response closes its connection. */
  readonly stopping: AbortController;
  /** The shutdown calls these functions in order, after the jobs and ports have stopped. */
  readonly releases: readonly (() => Promise<unknown>)[];
}

/**
 * For `delay` milliseconds, the service still accepts connections, and `/readyz` fails, so that a load balancer
 * redirects new requests. The service then closes the ports and idle connections, and running requests have
 * `SHUTDOWN_GRACE_MS` to finish. Jobs also have `SHUTDOWN_GRACE_MS` to finish, starting with the call of this function.
 *
 * If a step fails, still runs the others, and then throws the first error.
 */
export async function shutDown(
  { servers, jobs, changes, stopping, releases }: RunningService,
  delay: number,
): Promise<void> {
  stopping.abort();
  const closePorts = () => Promise.all([changes.close(), ...servers.map(closeServer)]);
  const outcomes: PromiseSettledResult<unknown>[] = await Promise.allSettled([
    jobs.stop(),
    sleep(delay).then(closePorts),
  ]);
  for (const release of releases) outcomes.push(...(await Promise.allSettled([release()])));
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_INTERVAL_MS);
  await Promise.race([closed, sleep(SHUTDOWN_GRACE_MS, undefined, { ref: false })]);
  clearInterval(sweep);
  server.closeAllConnections();
}
