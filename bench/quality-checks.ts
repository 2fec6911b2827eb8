import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderStore } from '../src/kernel/files/folder-store.js';
import { inspectRows } from '../src/quality/checks/inspect-rows.js';
import type { ContractExpectations, Inspection } from '../src/quality/checks/inspection.js';
import { DuckDb } from '../src/tables/duckdb.js';
import { LocalFileCache } from '../src/tables/local-file-cache.js';
import { formatTarget } from './support/format-target.js';
import { medianSeconds } from './support/median-seconds.js';
import { failingContract, passingContract } from './tables/quality-contract.js';
import { QUALITY_FIELDS, readParquetSql, writeQualityTable } from './tables/quality-table.js';

const NEVER_ABORTED = new AbortController().signal;
const MIB = 1024 ** 2;
const ROUNDS = 3;

/** Maximum ratio of the duration of the checks to the duration of DuckDB's `SUMMARIZE`. */
const MAX_RATIO = 2;

const MEMORY_POLL_MS = 50;

/** Disk space per row, for the files and for temporary data that does not fit into memory. */
const ROW_BYTES = 500;

const rows = Number(process.argv[2] ?? 10_000_000);
if (!Number.isSafeInteger(rows) || rows <= 0) throw new Error('The first argument must be a positive number of rows.');
const memory = process.argv[3] ?? '1GB';
const threads = Number(process.argv[4] ?? 2);

const idle = process.memoryUsage.rss();
const folder = await mkdtemp(join(tmpdir(), 'taproot-bench-'));
const duckdb = new DuckDb({ folder, memory, threads });
const store = await FolderStore.open(join(folder, 'files'));
const localFiles = new LocalFileCache(store, folder);
try {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < rows * ROW_BYTES)
    throw new Error(`${folder} needs ${(rows * ROW_BYTES) / MIB} MiB of free space`);
  await run();
} finally {
  await localFiles.close();
  await duckdb.close();
  await rm(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const writer = new DuckDb({ folder, memory: '512MB', threads });
  const files = await writer.connect((connection) => writeQualityTable(connection, join(folder, 'files'), rows));
  await writer.close();
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})`);
  console.log(
    `${rows} rows of ${QUALITY_FIELDS.length} columns in ${files.length} Parquet files, ${(bytes / MIB).toFixed(0)} MiB`,
  );
  console.log(
    `In all measurements, DuckDB has ${threads} threads and ${memory}; medians of ${ROUNDS} alternating rounds\n`,
  );

  const inspect = async (expected: ContractExpectations): Promise<Inspection> => {
    const table = { files, schema: expected.schema, rows, rejectedRows: 0, lastReceivedAt: new Date('2026-01-01') };
    const task = { rows: table, expected, previous: before, now: new Date('2026-01-01'), signal: NEVER_ABORTED };
    return inspectRows({ duckdb, localFiles }, task);
  };
  const before = {
    checks: [],
    measures: { rows, distinct: { city: 6, name: 200_003 }, highest: { id: 0, updated_at: 0 } },
  };
  const full = passingContract(['id']);
  const withTextKey = passingContract(['order_key']);
  const peak = await peakOf(async () => {
    for (const contract of [full, withTextKey]) requireAllPassed(await inspect(contract));
  });
  const work = {
    'SUMMARIZE of DuckDB': () => summarize(files.map(({ key }) => join(folder, 'files', key))),
    'all checks, an Integer as key': () => inspect(full),
    'all checks, a UUID as key': () => inspect(withTextKey),
    'all checks, three of which fail': () => inspect(failingContract(['id'])),
  };
  const seconds = await medianSeconds(work, ROUNDS);
  const baseline = seconds['SUMMARIZE of DuckDB'];
  for (const [name, own] of Object.entries(seconds))
    console.log(`${name.padEnd(36)}${own.toFixed(2).padStart(8)} s${(own / baseline).toFixed(2).padStart(8)}`);
  const ratio = seconds['all checks, an Integer as key'] / baseline;
  console.log(
    `\n${formatTarget(ratio <= MAX_RATIO, `Checks take at most ${MAX_RATIO} times as long as SUMMARIZE (${ratio.toFixed(2)})`)}`,
  );
  console.log(
    `peak ${((peak - idle) / MIB).toFixed(0)} MiB above the idle process, including up to ${memory} of DuckDB`,
  );
}

function summarize(paths: readonly string[]): Promise<unknown> {
  const columns = QUALITY_FIELDS.map(({ name }) => name).join(', ');
  return duckdb.rows(`summarize select ${columns} from ${readParquetSql(paths)}`);
}

function requireAllPassed({ checks }: Inspection): void {
  const others = checks.filter(({ status }) => status !== 'PASS');
  if (others.length > 0) throw new Error(others.map(({ evidence }) => evidence?.message).join('\n'));
}

async function peakOf(work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), MEMORY_POLL_MS);
  await work().finally(() => clearInterval(timer));
  return peak;
}
