import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { issueLocalToken } from '../src/tenancy/authentication/local-issuer.js';
import { DEMO_WORKSPACE, demoEmail } from '../src/tenancy/workspaces/seed-demo.js';
import { openBenchDatabase } from './support/bench-database.js';
import { generateCsv } from './support/generate-csv.js';
import { startServerProcess } from './support/server-process.js';
import { uploadCsv } from './support/upload-csv.js';
import { measureCopySeconds, measureDuckDbSeconds } from './tables/publish-baselines.js';

const MIB = 1024 ** 2;

/** Milliseconds until a started process is idle, and between two polls of a publication. */
const SETTLE_MS = 3_000;
const POLL_INTERVAL_MS = 250;

/**
 * Maximum number of concurrent copies of the file: the upload, the file for the baselines, the staged file,
 * PostgreSQL's table and both Parquet files.
 */
const FILE_COPIES = 6;

const size = Number(process.argv[2] ?? 1_024) * MIB;
if (!Number.isSafeInteger(size) || size <= 0) throw new Error('The size must be a positive number of MiB.');

const folder = await mkdtemp(join(tmpdir(), 'taproot-bench-'));
const database = await openBenchDatabase();
try {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < FILE_COPIES * size)
    throw new Error(`${folder} needs ${(FILE_COPIES * size) / MIB} MiB of free space`);
  await run();
} finally {
  await database.close();
  await rm(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), VmRSS every 50 ms`);
  const path = join(folder, 'table.csv');
  await pipeline(Readable.from(generateCsv(size)), createWriteStream(path));
  const bytes = (await stat(path)).size;
  console.log(`A CSV file of ${(bytes / MIB).toFixed(0)} MiB with 10 columns of 7 types becomes a table\n`);
  const copy = await measureCopySeconds(database.url, path);
  const duckDb = await measureDuckDbSeconds(path);
  await rm(path);
  const env = { PORT: '0', DATA_DIR: folder, DATABASE_URL: database.url, RATE_LIMITS: 'off', SEED_DEMO: 'true' };
  const service = await startServerProcess('src/main.js', {
    pattern: /REST +(http:\/\/[^/]+)/,
    env: { ...env, MAX_UPLOAD_BYTES: String(2 * size) },
  });
  try {
    const headers = {
      authorization: `Bearer ${await issueLocalToken(folder, demoEmail('owner'))}`,
      'x-tenant': DEMO_WORKSPACE,
    };
    await wait(SETTLE_MS);
    const idle = service.memory();
    const ask = createApiClient(service.origin, headers);
    const uploaded = JSON.parse(await uploadCsv(`${service.origin}/api/artifacts/upload-artifact`, size, headers));
    const artifactId: string = uploaded.data.artifact.id;
    await ask('POST', '/api/artifacts/run-artifact-schema-inference', { artifactId });
    const own = await service.watch(async () => {
      const { id } = await ask('POST', `/api/artifacts/${artifactId}/publish`, { name: 'Bench' });
      await waitForEnd(ask, id);
    });
    printLine('Taproot', bytes, own.seconds);
    printLine("PostgreSQL's COPY from the same disk", bytes, copy, own.seconds);
    printLine("DuckDB's own CSV to Parquet", bytes, duckDb, own.seconds);
    const more = (own.peak - idle) / MIB;
    const perSecond = bytes / 1e6 / own.processor;
    console.log(
      `\n${own.processor.toFixed(1)} s of CPU time (${perSecond.toFixed(0)} MB per CPU second), peak memory ${more.toFixed(0)} MiB above the idle process`,
    );
  } finally {
    await service.stop();
  }
}

type ApiClient = ReturnType<typeof createApiClient>;

function createApiClient(origin: string, headers: Record<string, string>) {
  // biome-ignore lint/suspicious/noExplicitAny: any response
  return async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(origin + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
    return JSON.parse(text).data;
  };
}

async function waitForEnd(ask: ApiClient, tapId: string): Promise<void> {
  for (;;) {
    const { publication } = await ask('GET', `/api/tenant-connector-taps/${tapId}`);
    if (publication.status === 'failed') throw new Error(publication.error);
    if (publication.status === 'succeeded') return;
    await wait(POLL_INTERVAL_MS);
  }
}

function printLine(name: string, bytes: number, seconds: number, own?: number): void {
  const ratio = own === undefined ? '' : `   Taproot takes ${(own / seconds).toFixed(2)} times as long`;
  console.log(`${name.padEnd(40)}${(bytes / 1e6 / seconds).toFixed(0).padStart(6)} MB/s${ratio}`);
}
