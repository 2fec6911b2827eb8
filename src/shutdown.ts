import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed } from './kernel/changes/change-feed.js';
import type { Jobs } from './kernel/jobs/jobs.js';

/** Maximum time in milliseconds for requests and jobs in progress to finish. */
export const SHUTDOWN_GRACE_MS = 10_000;

/** Interval, in milliseconds, at which idle connections are closed. */
const IDLE_SWEEP_INTERVAL_MS = 50;

export interface RunningService {
  readonly servers: readonly Server[];
  readonly jobs: Jobs;
  /** Closed together with the ports: streams would otherwise last until the end of the grace period. */
  readonly changes: ChangeFeed;
  /** Aborted first: from then on `/readyz` fails and each response closes its connection. */
  readonly stopping: AbortController;
  /** Called one after another, after the jobs and ports have stopped. They close the resources that both used. */
  readonly releases: readonly (() => Promise<unknown>)[];
}

/**
 * Stops without losing a request. For `delay` milliseconds the service still accepts connections, so that a load
 * balancer sees `/readyz` fail and sends new requests elsewhere. Then it closes the ports and idle connections.
 * Requests have `SHUTDOWN_GRACE_MS` to finish from then on; jobs have it from the start of the shutdown.
 */
export async function shutDown(
  { servers, jobs, changes, stopping, releases }: RunningService,
  delay: number,
): Promise<void> {
  stopping.abort();
  const closePorts = () => Promise.all([changes.close(), ...servers.map(closeServer)]);
  const stops: Promise<unknown>[] = [jobs.stop(), sleep(delay).then(closePorts)];
  await inTurn([...stops.map((stop) => () => stop), ...releases]);
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_INTERVAL_MS);
  await Promise.race([closed, sleep(SHUTDOWN_GRACE_MS, undefined, { ref: false })]);
  clearInterval(sweep);
  server.closeAllConnections();
}

/** Runs every step, even after a failed step. Throws the first failure. */
async function inTurn(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
