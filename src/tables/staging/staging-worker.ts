import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { DataSchema } from '../../csv/model/data-schema.js';
import { CsvRowStream } from '../../csv/stream-rows.js';
import { FileStoreError } from '../../kernel/files/file-store.js';
import type { TableSchema } from '../table-schema.js';
import { type StagedFiles, StagingArea } from './staging-area.js';

/** What the thread works on. */
export interface StagingTask {
  /** Of the file. */
  readonly schema: DataSchema;
  /** Of the table, whose fields are those of the file in their order. */
  readonly columns: TableSchema;
  /** For the sections, a folder each. */
  readonly folder: string;
  /** UUID. */
  readonly batch: string;
  /** ISO 8601. */
  readonly receivedAt: string;
}

/** What the thread is told: bytes of the file, or that there are no more. */
export type StagingRequest = Uint8Array | 'end';

/** What it answers to each, in their order. */
export type StagingResponse =
  | {
      /** So far. */
      readonly rows: number;
      readonly rejectedRows: number;
      /** Rows that are whole files now, and not the thread's any more. */
      readonly section?: StagedFiles;
    }
  | { readonly storingFailed: string | undefined; readonly cause: string };

/** Bytes that are staged at once, at the least. */
const MIN_SECTION_BYTES = 256 * 2 ** 20;

const { schema, columns, folder, batch, receivedAt } = workerData as StagingTask;
let sections = 0;
let rows = 0;
let rejectedRows = 0;
let staged: StagingArea | undefined;

const file = new CsvRowStream(schema, {
  accept(row, values) {
    staged?.add({ batch, row, receivedAt }, values);
  },
  reject(row, reason, record) {
    staged?.reject({ batch, row, receivedAt }, reason, record);
  },
});

async function handleRequest(request: StagingRequest): Promise<StagingResponse> {
  const isEnd = request === 'end';
  staged ??= await StagingArea.open(join(folder, String(++sections)), columns);
  const before = { rows: staged.rows, rejected: staged.rejected };
  if (isEnd) file.end();
  else file.read(Buffer.from(request.buffer, request.byteOffset, request.byteLength));
  await staged.drained();
  rows += staged.rows - before.rows;
  rejectedRows += staged.rejected - before.rejected;
  if (!isEnd && staged.bytes < MIN_SECTION_BYTES) return { rows, rejectedRows };
  const section = await staged.end();
  staged = undefined;
  return { rows, rejectedRows, section };
}

/** An error loses its class on the way between threads, so that of a disk is told as an answer. */
async function handleOrReport(request: StagingRequest): Promise<StagingResponse> {
  try {
    return await handleRequest(request);
  } catch (error) {
    if (!(error instanceof FileStoreError)) throw error;
    return { storingFailed: error.code, cause: error.message };
  }
}

let pending: Promise<void> = Promise.resolve();
parentPort?.on('message', (request: StagingRequest) => {
  pending = pending.then(async () => parentPort?.postMessage(await handleOrReport(request)));
});
