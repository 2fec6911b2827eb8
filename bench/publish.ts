import { createWriteStream } from 'node:fs';
import { rm, stat, statfs } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openBenchDatabase } from './support/bench-database.js';
import { generateCsv } from './support/generate-csv.js';
import { measureCopySeconds, measureDuckDbSeconds } from './tables/publish-baselines.js';
import { publishFile } from './tables/publish-file.js';
import { printPublishProfile } from './tables/publish-profile.js';

const MIB = 1024 ** 2;

/** Larger files are not profiled, because the profile needs a second publication. */
const MAX_PROFILED_BYTES = 256 * MIB;

/**
 * The upload, the file for the baselines, the staged file, PostgreSQL's table and two Parquet files can exist at the
 * same time.
 */
const FILE_COPIES = 6;

const size = Number(process.argv[2] ?? 1_024) * MIB;
if (!Number.isSafeInteger(size) || size <= 0) throw new Error('The size must be a positive number of MiB.');

const database = await openBenchDatabase();
const folder = database.dataDir;
try {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < FILE_COPIES * size)
    throw new Error(`${folder} needs ${(FILE_COPIES * size) / MIB} MiB of free space`);
  await run();
} finally {
  await database.close();
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
  const own = await publishFile({ folder, databaseUrl: database.url, size });
  printLine('Taproot', bytes, own.seconds);
  printLine("PostgreSQL's COPY from the same disk", bytes, copy, own.seconds);
  printLine("DuckDB's own CSV to Parquet", bytes, duckDb, own.seconds);
  const more = (own.peak - own.idle) / MIB;
  const perSecond = bytes / 1e6 / own.processor;
  console.log(
    `\n${own.processor.toFixed(1)} s of CPU time (${perSecond.toFixed(0)} MB per CPU second), peak memory ${more.toFixed(0)} MiB above the idle process`,
  );
  await printPublishProfile({ folder, databaseUrl: database.url, size: Math.min(size, MAX_PROFILED_BYTES) });
}

function printLine(name: string, bytes: number, seconds: number, own?: number): void {
  const ratio = own === undefined ? '' : `   Taproot takes ${(own / seconds).toFixed(2)} times as long`;
  console.log(`${name.padEnd(40)}${(bytes / 1e6 / seconds).toFixed(0).padStart(6)} MB/s${ratio}`);
}
