import 'reflect-metadata';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { readConfig } from '../src/config.js';
import { startService } from '../src/service.js';
import { issueLocalToken } from '../src/tenancy/authentication/local-issuer.js';
import { DEMO_WORKSPACE, demoEmail } from '../src/tenancy/workspaces/seed-demo.js';
import { formatTarget } from './support/format-target.js';
import { type LoadFigures, measureLoad } from './support/measure-load.js';
import type { DocumentFlood } from './support/send-documents.js';

/** The flooding caller sends this many different documents, each of them once. */
const DOCUMENTS = 10_000;

/** Concurrent requests of the flooding caller. The rate limit of 10 requests a second is off. */
const CONCURRENCY = 4;

const PACE = { warmUp: 1, seconds: 4, rounds: 3 };

/** Maximum p99 latency of another caller during the flood, as a multiple of the p99 latency before the flood. */
const MAX_SLOWDOWN = 2;

const MAX_HEAP_GROWTH_MIB = 32;

/** The flooding caller changes the operation name and an alias in each request. */
const QUERY = 'query Small { me { id email } platformVendors(limit: 5) { items { name } } }';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const folder = await mkdtemp(join(tmpdir(), 'taproot-bench-'));
const settings = { PORT: '0', DATA_DIR: folder, RATE_LIMITS: 'off', JOBS: 'off' };
const service = await startService(readConfig(settings), pino({ level: 'silent' }));
try {
  await smallQueries(); // Warm-up: V8 compiles the code of the service.
  await flooded(async () => undefined, 1_000);
  const heapBefore = heapMiB();
  const before = await smallQueries();
  const { result: during, sent } = await flooded(smallQueries, DOCUMENTS);
  report({ before, during, sent, growth: heapMiB() - heapBefore });
} finally {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}

async function headersOf(role: string): Promise<Record<string, string>> {
  const token = await issueLocalToken(folder, demoEmail(role));
  return { authorization: `Bearer ${token}`, 'x-tenant': DEMO_WORKSPACE, 'content-type': 'application/json' };
}

async function smallQueries(): Promise<LoadFigures> {
  const target = {
    ...{ name: 'small query', url: `${service.url}/graphql` },
    ...{ headers: await headersOf('viewer'), body: JSON.stringify({ query: QUERY }) },
  };
  return (await measureLoad({ target }, PACE)).target;
}

async function flooded<Result>(work: () => Promise<Result>, least: number): Promise<{ result: Result; sent: number }> {
  const url = `${service.url}/graphql`;
  const workerData: DocumentFlood = {
    url,
    headers: await headersOf('owner'),
    query: QUERY,
    least,
    concurrency: CONCURRENCY,
  };
  const worker = new Worker(new URL('./support/send-documents.js', import.meta.url), { workerData });
  const ended = once(worker, 'message');
  const result = await Promise.race([
    work(),
    ended.then(() => Promise.reject(new Error('the flood ended early'))),
  ]).catch((error) => worker.terminate().then(() => Promise.reject(error)));
  worker.postMessage('stop');
  const [sent] = await ended;
  return { result, sent };
}

function heapMiB(): number {
  // The garbage collector needs several passes for objects with weak references.
  for (let run = 0; run < 3; run++) collectGarbage();
  return process.memoryUsage().heapUsed / 1024 ** 2;
}

function report(found: { before: LoadFigures; during: LoadFigures; sent: number; growth: number }): void {
  const { before, during, sent, growth } = found;
  const line = (label: string, { perSecond, p50, p99 }: LoadFigures): string =>
    `${label.padEnd(52)}${perSecond.toFixed(0).padStart(8)} req/s   p50 ${p50.toFixed(1)} ms   p99 ${p99.toFixed(1)} ms`;
  console.log(line('small query, 16 connections', before));
  console.log(line(`  while another caller sends ${sent.toLocaleString('en')} documents`, during));
  const ratio = during.p99 / before.p99;
  console.log(
    formatTarget(
      ratio <= MAX_SLOWDOWN,
      `p99 with the flood is at most ${MAX_SLOWDOWN} times the p99 without it (${ratio.toFixed(2)})`,
    ),
  );
  console.log(
    formatTarget(
      growth < MAX_HEAP_GROWTH_MIB,
      `the heap grows by less than ${MAX_HEAP_GROWTH_MIB} MiB (${growth.toFixed(1)})`,
    ),
  );
}
