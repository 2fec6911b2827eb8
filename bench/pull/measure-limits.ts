import { setTimeout as wait } from 'node:timers/promises';
import { printFigure, printTitle } from '../support/print-figure.js';
import { PullBench } from './pull-bench.js';
import type { VendorRequest } from './vendor-settings.js';

const PROCESSES = 4;
const CONNECTIONS = 8;
const REQUESTS_PER_SECOND = 10;
const WINDOW_MS = 10_000;
const MAX_IN_WINDOW = 10.5;
const MIN_AVERAGE = 9;
const SECONDS = { quick: 40, full: 120 };

const RETRY_AFTER_SECONDS = 20;
const REJECT_AFTER = 30;
/** Requests that the service sent before it received the rejection arrive within this time. */
const IN_FLIGHT_MS = 500;

/** More pages than a measurement can read. */
const ENDLESS = 1_000_000;

export async function measureLimits(isFull: boolean): Promise<void> {
  printTitle(
    `Limits: ${PROCESSES} processes read ${CONNECTIONS} connections of a vendor with ${REQUESTS_PER_SECOND} requests/s`,
  );
  const bench = await PullBench.open({ requestsPerSecond: REQUESTS_PER_SECOND });
  try {
    await bench.setVendor({ pages: ENDLESS });
    const [service, ...workers] = await startAll(bench);
    if (!service) return;
    const headers = await bench.headers();
    for (let nth = 0; nth < CONNECTIONS; nth++) {
      const connection = await bench.connect(service.origin, headers, `token-${nth}`);
      await bench.startSync(service.origin, headers, connection, 'records');
    }
    await wait(WINDOW_MS); // After this time, all processes are reading.
    await bench.setVendor({ pages: ENDLESS });
    await wait((isFull ? SECONDS.full : SECONDS.quick) * 1_000);
    const times = (await bench.vendorRequests()).map(({ at }) => at);
    const most = mostInWindow(times) / (WINDOW_MS / 1_000);
    const average = (times.length - 1) / (((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000);
    const baseline = `limit: ${REQUESTS_PER_SECOND}/s   ratio`;
    printFigure({
      name: 'most requests/s in any 10 s',
      ...{ figure: most.toFixed(2), isMet: most <= MAX_IN_WINDOW },
      baseline: `${baseline} ${(most / REQUESTS_PER_SECOND).toFixed(2)}, at most ${MAX_IN_WINDOW}/s`,
    });
    printFigure({
      name: 'average requests/s',
      ...{ figure: average.toFixed(2), isMet: average >= MIN_AVERAGE },
      baseline: `${baseline} ${(average / REQUESTS_PER_SECOND).toFixed(2)}, at least ${MIN_AVERAGE}/s`,
    });
    await bench.setVendor({ pages: ENDLESS, rejectAfter: REJECT_AFTER, retryAfterSeconds: RETRY_AFTER_SECONDS });
    await wait((REJECT_AFTER / REQUESTS_PER_SECOND + RETRY_AFTER_SECONDS + 10) * 1_000);
    printPause(await bench.vendorRequests());
    await Promise.all(workers.map((worker) => worker.stop()));
  } finally {
    await bench.close();
  }
}

/** Starts the processes one after another, because the first process fills the database. */
async function startAll(bench: PullBench) {
  const services = [];
  for (let nth = 0; nth < PROCESSES; nth++) services.push(await bench.startService());
  return services;
}

function mostInWindow(times: readonly number[]): number {
  const counts = times.map((from, nth) => times.slice(nth).filter((at) => at < from + WINDOW_MS).length);
  return Math.max(...counts);
}

function printPause(requests: readonly VendorRequest[]): void {
  const rejectedAt = requests.find(({ isRejected }) => isRejected)?.at;
  if (rejectedAt === undefined) throw new Error('the vendor rejected no request');
  const later = requests.filter(({ at }) => at > rejectedAt + IN_FLIGHT_MS).map(({ at }) => at - rejectedAt);
  const first = Math.min(...later) / 1_000;
  printFigure({
    name: 'seconds without a request after 429',
    ...{ figure: first.toFixed(2), isMet: first >= RETRY_AFTER_SECONDS },
    baseline: `Retry-After: ${RETRY_AFTER_SECONDS} s   ratio ${(first / RETRY_AFTER_SECONDS).toFixed(2)}, at least 1`,
  });
}
