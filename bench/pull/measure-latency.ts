import { type LoadFigures, measureLoad } from '../support/measure-load.js';
import { printFigure, printTitle } from './print-figure.js';
import { PullBench } from './pull-bench.js';

const WORKSPACES = 10;
const SYNCS = { quick: 200, full: 200 };
const PACE = { quick: { warmUp: 2, seconds: 5, rounds: 3 }, full: { warmUp: 2, seconds: 15, rounds: 5 } };
const LOAD_CONNECTIONS = 2;

/** Time of the vendor per page. */
const VENDOR_LATENCY_MS = 200;
const ENDLESS = 1_000_000;

/** Maximum ratio of the p99 during the syncs to the p99 without. */
const MAX_RATIO = 1.5;

/** Response times of a process that serves requests and runs all jobs, while syncs of many connections are open. */
export async function measureLatency(isFull: boolean): Promise<void> {
  const size = isFull ? 'full' : 'quick';
  const syncs = SYNCS[size];
  printTitle(`Latency of GET /api/users/me during ${syncs} syncs in ${WORKSPACES} workspaces, one process`);
  const bench = await PullBench.open();
  try {
    await bench.setVendor({ pages: ENDLESS, latencyMs: VENDOR_LATENCY_MS });
    const service = await bench.startService();
    const own = await bench.headers();
    const measure = async (): Promise<LoadFigures> => {
      const me = { name: 'me', url: `${service.origin}/api/users/me`, headers: own };
      return (await measureLoad({ me }, { ...PACE[size], connections: LOAD_CONNECTIONS })).me;
    };
    const connections: (readonly [headers: Readonly<Record<string, string>>, id: string])[] = [];
    for (let nth = 0; nth < syncs; nth++) {
      const workspace = await bench.workspace(`w${nth % WORKSPACES}`);
      connections.push([workspace, await bench.connect(service.origin, workspace, `token-${nth}`)]);
    }
    const idle = await measure();
    for (const [headers, id] of connections) await bench.startSync(service.origin, headers, id, 'records');
    const during = await measure();
    const ratio = during.p99 / idle.p99;
    printFigure({
      name: 'p99 during the syncs',
      figure: `${during.p99.toFixed(1)} ms`,
      yardstick: `idle: ${idle.p99.toFixed(1)} ms   ratio ${ratio.toFixed(2)}, at most ${MAX_RATIO}   (p50 ${during.p50.toFixed(1)} and ${idle.p50.toFixed(1)} ms)`,
      isMet: ratio <= MAX_RATIO,
    });
  } finally {
    await bench.close();
  }
}
