import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { issueLocalToken } from '../src/tenancy/authentication/local-issuer.js';
import { DEMO_WORKSPACE, demoEmail } from '../src/tenancy/workspaces/seed-demo.js';
import { formatTarget } from './support/format-target.js';
import { type ResourceUsage, type ServerProcess, startServerProcess } from './support/server-process.js';
import { uploadCsv } from './support/upload-csv.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** The uploads may use `maxExtraBytes` of memory in addition to the memory of the idle process. */
const LOADS = [
  { name: '1 upload of 2 GiB', count: 1, size: 2 * GIB, maxExtraBytes: 64 * MIB },
  { name: '16 concurrent uploads of 256 MiB', count: 16, size: 256 * MIB, maxExtraBytes: 256 * MIB },
] as const;

/** Free disk space for the files of one load, with a margin. */
const REQUIRED_SPACE_BYTES = 14 * GIB;

const SMALL_UPLOAD_BYTES = 200_000;

/** Time until a started process is idle. */
const SETTLE_MS = 3_000;

const folder = await mkdtemp(join(tmpdir(), 'taproot-bench-'));
const servers: ServerProcess[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => cleanUp().finally(() => process.exit(1)));
try {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < REQUIRED_SPACE_BYTES)
    throw new Error(`${folder} needs ${REQUIRED_SPACE_BYTES / GIB} GiB of free space`);
  await run();
} finally {
  await cleanUp();
}

async function run(): Promise<void> {
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), 127.0.0.1, VmRSS every 50 ms\n`);
  const baselineFolder = join(folder, 'baseline');
  await mkdir(baselineFolder);
  const baseline = await started('bench/tables/upload-baseline-server.js', {
    pattern: /(http:\S+)/,
    args: [baselineFolder],
  });
  const env = { PORT: '0', DATA_DIR: folder, RATE_LIMITS: 'off', MAX_UPLOAD_BYTES: String(4 * GIB) };
  const service = await started('src/main.js', { pattern: /REST +(http:\/\/[^/]+)/, env });
  const headers = {
    authorization: `Bearer ${await issueLocalToken(folder, demoEmail('owner'))}`,
    'x-tenant': DEMO_WORKSPACE,
  };
  const uploadUrl = `${service.origin}/api/artifacts/upload-artifact`;
  await wait(SETTLE_MS);
  const idle = { service: service.memory(), baseline: baseline.memory() };
  await uploadCsv(uploadUrl, SMALL_UPLOAD_BYTES, headers);
  const first = inMib(service.memory() - idle.service);
  console.log(`The first upload starts the threads that read CSV files. These threads permanently use ${first}\n`);
  for (const load of LOADS) {
    const bare = await baseline.watch(() => uploadAll(baseline.origin, load));
    await rm(baselineFolder, { recursive: true });
    await mkdir(baselineFolder);
    const own = await service.watch(() => uploadAll(uploadUrl, load, headers));
    const over = own.peak - idle.service;
    console.log(load.name);
    printLine('Taproot', idle.service, own);
    printLine('busboy and a flushed file', idle.baseline, bare);
    const ratios = [own.seconds / bare.seconds, own.processor / bare.processor].map((ratio) => ratio.toFixed(2));
    console.log(`  ${ratios[0]} times the duration of the baseline, ${ratios[1]} times its CPU time`);
    const limit = load.maxExtraBytes / MIB;
    console.log(`${formatTarget(over <= load.maxExtraBytes, `at most ${limit} MiB above idle (${inMib(over)})`)}\n`);
  }
}

async function started(...start: Parameters<typeof startServerProcess>): Promise<ServerProcess> {
  const server = await startServerProcess(...start);
  servers.push(server);
  return server;
}

async function uploadAll(
  url: string,
  { count, size }: { count: number; size: number },
  headers?: Record<string, string>,
): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => uploadCsv(url, size, headers)));
}

function printLine(name: string, idle: number, { peak, seconds, processor }: ResourceUsage): void {
  const time = `${seconds.toFixed(1).padStart(7)} s, ${processor.toFixed(1)} s of CPU time`;
  console.log(`  ${name.padEnd(34)}${time.padEnd(32)}${inMib(idle)} idle, peak ${inMib(peak - idle)} above`);
}

function inMib(bytes: number): string {
  return `${(bytes / MIB).toFixed(0)} MiB`;
}

async function cleanUp(): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
}
