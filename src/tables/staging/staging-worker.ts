import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { CsvError, type FileErrorCode } from '../../csv/model/csv-error.js';
import type { DataSchema } from '../../csv/model/data-schema.js';
import { CsvRowStream } from '../../csv/stream-rows.js';
import { FileStoreError } from '../../kernel/files/file-store.js';
import type { TableSchema } from '../table-schema.js';
import { type StagedFiles, StagingArea } from './staging-area.js';
import { SEPARATOR } from './staging-format.js';

export interface StagingTask {
  readonly schema: DataSchema;
  /** Schema of the table. It has the same fields as the file, in the same order. */
  readonly columns: TableSchema;
  /** The thread creates one subfolder per section. */
  readonly folder: string;
  /** UUID of the file. */
  readonly batch: string;
  readonly receivedAt: string;
}

export type StagingRequest = Uint8Array | 'end';

/** The thread sends one response per request, in order. */
export type StagingResponse =
  | {
      /** Totals so far. */
      readonly rows: number;
      readonly rejectedRows: number;
      /** Complete files. The receiver must remove them. */
      readonly section?: StagedFiles;
    }
  | { readonly storingFailed: string | undefined; readonly cause: string }
  /** Properties of a `CsvError`. */
  | { readonly unreadable: FileErrorCode; readonly message: string };

/** Smaller than the maximum size of a staging file, so that a section is usually one file. */
const MIN_SECTION_BYTES = 120 * 2 ** 20;

const { schema, columns, folder, batch, receivedAt } = workerData as StagingTask;
let sections = 0;
let rows = 0;
let rejectedRows = 0;
let staged: StagingArea | undefined;

const file = new CsvRowStream(
  schema,
  {
    accept(row, values) {
      staged?.add({ batch, row, receivedAt }, values);
    },
    reject(row, reason, record) {
      staged?.reject({ batch, row, receivedAt }, reason, record);
    },
  },
  {
    separator: SEPARATOR.charCodeAt(0),
    fits: (nth, value) => staged?.fits(nth, value) === true,
    accept(row, line, length) {
      staged?.addLine({ batch, row, receivedAt }, line, length);
    },
  },
);

async function handleRequest(request: StagingRequest): Promise<StagingResponse> {
  const isEnd = request === 'end';
  staged ??= await StagingArea.open(join(folder, String(++sections)), columns);
  const before = { rows: staged.rows, rejected: staged.rejected };
  if (isEnd) {
    file.end();
    file.requireReadable();
  } else file.read(Buffer.from(request.buffer, request.byteOffset, request.byteLength));
  await staged.drained();
  rows += staged.rows - before.rows;
  rejectedRows += staged.rejected - before.rejected;
  if (!isEnd && staged.bytes < MIN_SECTION_BYTES) return { rows, rejectedRows };
  const section = await staged.end();
  staged = undefined;
  return { rows, rejectedRows, section };
}

/** Expected errors become responses, because errors lose their class between threads. */
async function handleOrReport(request: StagingRequest): Promise<StagingResponse> {
  try {
    return await handleRequest(request);
  } catch (error) {
    if (error instanceof CsvError) return { unreadable: error.code, message: error.message };
    if (!(error instanceof FileStoreError)) throw error;
    return { storingFailed: error.code, cause: error.message };
  }
}

let pending: Promise<void> = Promise.resolve();
parentPort?.on('message', (request: StagingRequest) => {
  pending = pending.then(async () => parentPort?.postMessage(await handleOrReport(request)));
});
