import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { mintLocalToken } from '../src/tenancy/local-issuer.js';
import { DEMO_WORKSPACE, demoAddress } from '../src/tenancy/seed-demo.js';
import { uploadTable } from './uploads-client.js';
import { startServer, type Watched, type WatchedServer } from './uploads-process.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Uploads of one size at once, and how much memory over that of the idle process they may take, in bytes. */
const LOADS = [
  { name: '1 upload of 2 GiB', count: 1, size: 2 * GIB, most: 64 * MIB },
  { name: '16 uploads of 256 MiB at once', count: 16, size: 256 * MIB, most: 256 * MIB },
] as const;

/** Free space that the files of one load need, and a little more, in bytes. */
const SPACE = 14 * GIB;

/** Bytes of an upload that is no load. */
const SMALL = 200_000;

/** Milliseconds after which a started process has settled. */
const SETTLING = 3_000;

const folder = await mkdtemp(join(tmpdir(), 'taproot-bench-'));
const servers: WatchedServer[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => cleanUp().finally(() => process.exit(1)));
try {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < SPACE) throw new Error(`${folder} needs ${SPACE / GIB} GiB of free space`);
  await run();
} finally {
  await cleanUp();
}

async function run(): Promise<void> {
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), 127.0.0.1, VmRSS every 50 ms\n`);
  const yardstickFolder = join(folder, 'yardstick');
  await mkdir(yardstickFolder);
  const yardstick = await started('bench/uploads-yardstick.js', { pattern: /(http:\S+)/, args: [yardstickFolder] });
  const env = { PORT: '0', DATA_DIR: folder, RATE_LIMITS: 'off', MAX_UPLOAD_BYTES: String(4 * GIB) };
  const service = await started('src/main.js', { pattern: /REST +(http:\/\/[^/]+)/, env });
  const headers = {
    authorization: `Bearer ${await mintLocalToken(folder, demoAddress('owner'))}`,
    'x-tenant': DEMO_WORKSPACE,
  };
  const ofService = `${service.origin}/api/artifacts/upload-artifact`;
  await wait(SETTLING);
  const idle = { service: service.memory(), yardstick: yardstick.memory() };
  await uploadTable(ofService, SMALL, headers);
  const first = inMib(service.memory() - idle.service);
  console.log(`Taproot keeps ${first} from its first upload on: threads that look into CSV files\n`);
  for (const load of LOADS) {
    const bare = await yardstick.watch(() => uploadAll(yardstick.origin, load));
    await rm(yardstickFolder, { recursive: true });
    await mkdir(yardstickFolder);
    const own = await service.watch(() => uploadAll(ofService, load, headers));
    const over = own.peak - idle.service;
    console.log(load.name);
    printLine('Taproot', idle.service, own);
    printLine('busboy and a file that is synced', idle.yardstick, bare);
    const ratios = [own.seconds / bare.seconds, own.processor / bare.processor].map((ratio) => ratio.toFixed(2));
    console.log(`  ${ratios[0]} times the time of the yardstick, ${ratios[1]} times its processor`);
    const most = load.most / MIB;
    console.log(`${over <= load.most ? 'met    ' : 'NOT MET'}  at most ${most} MiB over idle (${inMib(over)})\n`);
  }
}

async function started(...start: Parameters<typeof startServer>): Promise<WatchedServer> {
  const server = await startServer(...start);
  servers.push(server);
  return server;
}

async function uploadAll(
  url: string,
  { count, size }: { count: number; size: number },
  headers?: Record<string, string>,
): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => uploadTable(url, size, headers)));
}

function printLine(name: string, idle: number, { peak, seconds, processor }: Watched): void {
  const time = `${seconds.toFixed(1).padStart(7)} s, ${processor.toFixed(1)} s of processor`;
  console.log(`  ${name.padEnd(34)}${time.padEnd(32)}${inMib(idle)} idle, ${inMib(peak - idle)} more at the most`);
}

function inMib(bytes: number): string {
  return `${(bytes / MIB).toFixed(0)} MiB`;
}

async function cleanUp(): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
}
