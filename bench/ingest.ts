import { chmod, rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { issueLocalToken } from '../src/tenancy/authentication/local-issuer.js';
import { DEMO_WORKSPACE, demoEmail } from '../src/tenancy/workspaces/seed-demo.js';
import { type BenchDatabase, openBenchDatabase } from './support/bench-database.js';
import { type ServerProcess, startServerProcess } from './support/server-process.js';
import { createPushTarget, generateRecord, type PushTarget } from './tables/push-target.js';

const LOADS = [
  { name: 'batches of 1 record, 32 senders', records: 1, senders: 32, seconds: 15 },
  { name: 'batches of 1,000 records, 8 senders', records: 1_000, senders: 8, seconds: 15 },
] as const;

const COPIED_RECORDS = 1_000_000;

const POLL_INTERVAL_MS = 250;
const MAX_POLLS = 240;

const database = await openBenchDatabase();
const { dataDir } = database;
let service: ServerProcess | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => cleanUp().finally(() => process.exit(1)));
try {
  await run(database);
} finally {
  await cleanUp();
}

async function run({ url }: BenchDatabase): Promise<void> {
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), 127.0.0.1\n`);
  const env = { PORT: '0', DATA_DIR: dataDir, DATABASE_URL: url, RATE_LIMITS: 'off', INGEST_FLUSH_SECONDS: '1' };
  service = await startServerProcess('src/main.js', { pattern: /REST +(http:\/\/[^/]+)/, env });
  const tap = await createPushTarget(service.origin, {
    authorization: `Bearer ${await issueLocalToken(dataDir, demoEmail('owner'))}`,
    'x-tenant': DEMO_WORKSPACE,
  });
  const copied = await copyIntoPostgres(url);
  console.log(`${'COPY of one file into PostgreSQL'.padEnd(40)}${inThousands(copied)} records/s`);
  for (const { name, records, senders, seconds } of LOADS) {
    const before = await tap.rows();
    const { pushed, took } = await push(tap, records, senders, seconds);
    const loadedAfter = await waitForRows(tap, before + pushed);
    const rate = pushed / took;
    console.log(
      `${name.padEnd(40)}${inThousands(rate)} records/s   ${(rate / records).toFixed(0)} batches/s   ${(rate / copied).toFixed(3)} of COPY   all in the table ${loadedAfter.toFixed(1)} s later`,
    );
  }
}

async function push(
  { push: send }: PushTarget,
  records: number,
  senders: number,
  seconds: number,
): Promise<{ pushed: number; took: number }> {
  let pushed = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  const work = async (): Promise<void> => {
    while (performance.now() < until) {
      await send(records);
      pushed += records;
    }
  };
  await Promise.all(Array.from({ length: senders }, work));
  return { pushed, took: (performance.now() - startedAt) / 1_000 };
}

/** Returns the seconds until the table has exactly `expected` rows. */
async function waitForRows({ rows }: PushTarget, expected: number): Promise<number> {
  const startedAt = performance.now();
  let seen = await rows();
  for (let polls = 0; seen !== expected; polls++) {
    if (seen > expected || polls === MAX_POLLS) throw new Error(`the table has ${seen} rows of ${expected}`);
    await wait(POLL_INTERVAL_MS);
    const now = await rows();
    if (now > seen) polls = 0;
    seen = now;
  }
  return (performance.now() - startedAt) / 1_000;
}

async function copyIntoPostgres(url: string): Promise<number> {
  const path = join(dataDir, 'records.ndjson');
  await chmod(dataDir, 0o755); // PostgreSQL may run as another user.
  await writeFile(path, Array.from({ length: COPIED_RECORDS }, (_, nth) => `${generateRecord(nth)}\n`).join(''), {
    mode: 0o644,
  });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('create table public.baseline (record text)');
    const startedAt = performance.now();
    await client.query(`copy public.baseline from '${path}' with (delimiter e'\\x01')`);
    return COPIED_RECORDS / ((performance.now() - startedAt) / 1_000);
  } finally {
    await client.end();
    await rm(path);
  }
}

function inThousands(rate: number): string {
  return Math.round(rate).toLocaleString('en').padStart(10);
}

async function cleanUp(): Promise<void> {
  await service?.stop();
  await database.close();
}
