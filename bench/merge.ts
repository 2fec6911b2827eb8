import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDb, sqlText } from '../src/tables/duckdb.js';
import { mergeParts } from '../src/tables/merge/merge-parts.js';
import { writeParquet } from '../src/tables/staging/write-parquet.js';
import { formatTarget } from './support/format-target.js';
import { medianOf } from './support/median-of.js';

const MIB = 1024 ** 2;
const ROUNDS = 3;
const FILE_ROWS = 500_000;
const COLUMNS = 10;
const MEMORY_POLL_MS = 20;
const LIMITS = { ratio: 1.3, bytes: 3, memoryMib: 512 };

const rows = Number(process.argv[2] ?? 10_000_000);
if (!Number.isSafeInteger(rows) || rows < 1_000) throw new Error('The first argument must be at least 1000 rows.');

const idle = process.memoryUsage.rss();
const folder = await mkdtemp(join(tmpdir(), 'taproot-bench-'));
const duckdb = new DuckDb({ folder });
try {
  await duckdb.connect(run);
} finally {
  await duckdb.close();
  await rm(folder, { recursive: true, force: true });
}

async function run(connection: DuckDBConnection): Promise<void> {
  const data: string[] = [];
  for (let first = 0; first < rows; first += FILE_ROWS) {
    const count = Math.min(FILE_ROWS, rows - first);
    data.push(await write(connection, `data-${data.length}`, `range(${first}, ${first + count})`, 1));
    console.log(`wrote ${first + count} of ${rows} rows`);
  }
  // Contains every 100th key, so that the merge changes rows of each data file.
  const part = await write(
    connection,
    'part',
    `(select range * 100 as range from range(${Math.floor(rows / 100)}))`,
    2,
  );
  const bytes = await sizeOf(data);
  console.log(`Node ${process.version}, ${cpus().length} cores, DuckDB with the settings of the service`);
  console.log(`${rows} rows in ${data.length} files of ${(bytes / MIB).toFixed(0)} MiB in total, 1 % changed\n`);
  const baseline: Cost[] = [];
  const merges: Cost[] = [];
  let written = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const place = join(folder, `round-${round}`);
    await mkdir(place);
    baseline.push(await costOf(() => rewrite(connection, data, place)));
    merges.push(
      await costOf(async () => {
        const input = { parts: [part], data, deletes: [], deletedRows: 'remove', folder: place } as const;
        const { added, replaced } = await mergeParts(connection, input);
        if (replaced.length !== data.length) throw new Error('the merge did not replace every file');
        written = await sizeOf(added.map(({ path }) => path));
      }),
    );
    await rm(place, { recursive: true });
    const [rewritten, merged] = [baseline, merges].map((costs) => (costs.at(-1) as Cost).seconds.toFixed(2));
    console.log(`round ${round + 1} of ${ROUNDS}: rewrite ${rewritten} s, merge ${merged} s`);
  }
  const median = (costs: readonly Cost[], name: keyof Cost): number => medianOf(costs.map((cost) => cost[name]));
  for (const [name, costs] of Object.entries({ 'read and rewrite in DuckDB': baseline, merge: merges }))
    console.log(
      `${name.padEnd(28)}${median(costs, 'seconds').toFixed(2)} s, ${median(costs, 'cpuSeconds').toFixed(2)} s of CPU`,
    );
  const ratioOf = (name: keyof Cost): number => median(merges, name) / median(baseline, name);
  report(`time relative to the rewrite (CPU: ${ratioOf('cpuSeconds').toFixed(2)})`, ratioOf('seconds'), LIMITS.ratio);
  report('bytes written per byte of the replaced files', written / bytes, LIMITS.bytes);
  report('MiB above the idle process', (Math.max(...merges.map(({ peak }) => peak)) - idle) / MIB, LIMITS.memoryMib);
}

interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** In bytes. */
  readonly peak: number;
}

async function costOf(work: () => Promise<void>): Promise<Cost> {
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), MEMORY_POLL_MS);
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await work().finally(() => clearInterval(timer));
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - start) / 1_000, cpuSeconds: (user + system) / 1e6, peak };
}

async function rewrite(connection: DuckDBConnection, paths: readonly string[], place: string): Promise<void> {
  for (const [at, path] of paths.entries())
    await writeParquet(connection, `from read_parquet(${sqlText(path)})`, COLUMNS, join(place, `copy-${at}.parquet`));
}

async function write(connection: DuckDBConnection, name: string, source: string, version: number): Promise<string> {
  const path = join(folder, `${name}.parquet`);
  const query = `
select range as id, md5(range::varchar) as name, range * ${version}.5 as amount, range % 7 = 0 as active, 'city ' || range % 100 as city,
  range::varchar as _record_key, make_timestamptz(${version}::bigint) as _record_version, null::boolean as _record_deleted,
  uuid()::varchar as _batch, range as _row, make_timestamptz(${version}::bigint) as _received_at
from ${source}`;
  await writeParquet(connection, query, COLUMNS, path);
  return path;
}

async function sizeOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function report(what: string, value: number, limit: number): void {
  console.log(formatTarget(value <= limit, `${value.toFixed(2)} ${what}, at most ${limit}`));
}
