import { type LoadFigures, measureLoad } from '../support/measure-load.js';
import { printFigure, printTitle } from '../support/print-figure.js';
import { PullBench } from './pull-bench.js';

const WORKSPACES = 10;
const SYNCS = 200;
const PACE = { quick: { warmUp: 2, seconds: 5, rounds: 3 }, full: { warmUp: 2, seconds: 15, rounds: 5 } };
const LOAD_CONNECTIONS = 2;

const VENDOR_LATENCY_MS = 200;
const ENDLESS = 1_000_000;

/** Maximum ratio of the p99 latency during the syncs to the p99 latency without syncs. */
const MAX_RATIO = 1.5;

/** `JOBS` of each process. The first process serves the requests. */
const DEPLOYMENTS = { 'one process': ['all'], 'JOBS=rest and JOBS=pull': ['rest', 'pull'] };

export async function measureLatency(isFull: boolean): Promise<void> {
  printTitle(`Latency of GET /api/users/me during ${SYNCS} syncs in ${WORKSPACES} workspaces`);
  for (const [name, jobs] of Object.entries(DEPLOYMENTS)) await measureDeployment(name, jobs, isFull);
}

async function measureDeployment(name: string, jobs: readonly string[], isFull: boolean): Promise<void> {
  const bench = await PullBench.open();
  try {
    await bench.setVendor({ pages: ENDLESS, latencyMs: VENDOR_LATENCY_MS });
    const services = [];
    for (const JOBS of jobs) services.push(await bench.startService({ JOBS }));
    const { origin } = services[0] as (typeof services)[number];
    const own = await bench.headers();
    const measure = async (): Promise<LoadFigures> => {
      const me = { name: 'me', url: `${origin}/api/users/me`, headers: own };
      const pace = { ...PACE[isFull ? 'full' : 'quick'], connections: LOAD_CONNECTIONS, isFine: true };
      return (await measureLoad({ me }, pace)).me;
    };
    const connections: (readonly [headers: Readonly<Record<string, string>>, id: string])[] = [];
    for (let nth = 0; nth < SYNCS; nth++) {
      const workspace = await bench.workspace(`w${nth % WORKSPACES}`);
      connections.push([workspace, await bench.connect(origin, workspace, `token-${nth}`)]);
    }
    await bench.waitForCredentialTests();
    const idle = await measure();
    for (const [headers, id] of connections) await bench.startSync(origin, headers, id, 'records');
    const during = await measure();
    const ratio = during.p99 / idle.p99;
    printFigure({
      name: `p99, ${name}`,
      figure: `${during.p99.toFixed(1)} ms`,
      baseline: `idle: ${idle.p99.toFixed(1)} ms   ratio ${ratio.toFixed(2)}, at most ${MAX_RATIO}   (p50 ${during.p50.toFixed(1)} and ${idle.p50.toFixed(1)} ms)`,
      isMet: ratio <= MAX_RATIO,
    });
  } finally {
    await bench.close();
  }
}
