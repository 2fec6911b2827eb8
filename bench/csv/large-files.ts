import { createWriteStream } from 'node:fs';
import { open, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Papa from 'papaparse';
import { INFERENCE_SAMPLE_BYTES } from '../../src/artifacts/measured-bytes.js';
import { checkHead } from '../../src/csv/check-head.js';
import { readText } from '../../src/csv/encoding/decode-text.js';
import { inferSchema } from '../../src/csv/infer-schema.js';
import { HEAD_BYTES } from '../../src/csv/model/csv-limits.js';
import { parseCsvRecords } from '../../src/csv/records/parse-csv-records.js';
import { generateCsv } from '../support/generate-csv.js';
import { medianSeconds } from '../support/median-seconds.js';
import type { CsvSystem } from './csv-system.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

const ROUNDS = 15;

const BEGINNING = { isWhole: false } as const;

/** The message is for the user of the command. */
export class DiskSpaceError extends Error {}

/** Throws `DiskSpaceError`. */
export async function printLargeFiles(folder: string, duckDb: CsvSystem): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < 4 * GIB) throw new DiskSpaceError(`${folder} needs 4 GiB of free space for the large files`);
  const [small, large, middle] = await Promise.all([
    writeTable(join(folder, 'small.csv'), 2 * MIB),
    writeTable(join(folder, 'large.csv'), 2 * GIB),
    writeTable(join(folder, 'middle.csv'), GIB),
  ]);
  console.log('\nHead checks of large files that are in the page cache; medians');
  const heads = await medianSeconds({ small: () => headOf(small), large: () => headOf(large) }, ROUNDS);
  printTime('check of the head, 2 MiB', heads.small);
  printTime('check of the head, 2 GiB', heads.large, heads.small, 'to 2 MiB');
  const medians = await medianSeconds(
    {
      duckDb: () => duckDb.sniff(middle),
      head: () => headOf(middle),
      inference: async () => inferSchema(await readStart(middle, INFERENCE_SAMPLE_BYTES), BEGINNING),
    },
    ROUNDS,
  );
  printTime("DuckDB's sniffer, 1 GiB", medians.duckDb);
  printTime('check of the head, 1 GiB', medians.head, medians.duckDb, 'to DuckDB');
  printTime('inference of types, 1 GiB', medians.inference, medians.duckDb, 'to DuckDB');
  await printParsing(await readStart(middle, INFERENCE_SAMPLE_BYTES));
}

async function printParsing(bytes: Buffer): Promise<void> {
  const { text } = readText(bytes, BEGINNING);
  const head = checkHead(bytes.subarray(0, HEAD_BYTES), BEGINNING);
  if (head === 'more') throw new Error('the head contains no record');
  const { dialect } = head.schema;
  const seconds = await medianSeconds(
    {
      papa: () => Papa.parse(text, { delimiter: dialect.delimiter, step: () => undefined }),
      own: () => readToEnd(parseCsvRecords(text, dialect, BEGINNING)),
      ownDecoding: () => readToEnd(parseCsvRecords(readText(bytes, BEGINNING).text, dialect, BEGINNING)),
    },
    ROUNDS,
  );
  console.log('\nSplitting 8 MiB into records of strings, without storing them');
  printSpeed('Papa Parse', seconds.papa, seconds.papa);
  printSpeed('Taproot', seconds.own, seconds.papa);
  printSpeed('Taproot, from bytes', seconds.ownDecoding, seconds.papa);
}

function readToEnd(records: Iterable<unknown>): number {
  let count = 0;
  for (const _ of records) count++;
  return count;
}

async function headOf(path: string): Promise<void> {
  if (checkHead(await readStart(path, HEAD_BYTES), BEGINNING) === 'more')
    throw new Error('the head contains no record');
}

async function readStart(path: string, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function writeTable(path: string, size: number): Promise<string> {
  await pipeline(Readable.from(generateCsv(size)), createWriteStream(path));
  return path;
}

function printTime(what: string, seconds: number, to?: number, toWhat?: string): void {
  const ratio = to === undefined ? '' : `   ${(seconds / to).toFixed(2)} ${toWhat}`;
  console.log(`${what.padEnd(34)}${(seconds * 1000).toFixed(1).padStart(10)} ms${ratio}`);
}

function printSpeed(what: string, seconds: number, papa: number): void {
  const speed = INFERENCE_SAMPLE_BYTES / 1e6 / seconds;
  console.log(
    `${what.padEnd(34)}${speed.toFixed(0).padStart(10)} MB/s   ${(papa / seconds).toFixed(2)} times the speed of Papa Parse`,
  );
}
