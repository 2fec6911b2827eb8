import { checkHead } from './check-head.js';
import { inferSchema } from './infer-schema.js';
import { CsvError, type FileErrorCode } from './model/csv-error.js';
import type { CsvHead, InferredSchema, ProposedTypes } from './model/data-schema.js';

export type WorkerTask =
  | { readonly kind: 'check-head'; readonly bytes: Uint8Array; readonly isWhole: boolean }
  | {
      readonly kind: 'infer-schema';
      readonly bytes: Uint8Array;
      readonly isWhole: boolean;
      readonly proposals?: ProposedTypes;
    };

/** Errors lose their class between threads, so a `CsvError` is returned as a result. */
export type WorkerResult =
  | { readonly found: CsvHead | 'more' | InferredSchema }
  | { readonly fault: { readonly code: FileErrorCode; readonly message: string } };

/** Runs in a worker thread. */
export default function runTask(task: WorkerTask): WorkerResult {
  try {
    return { found: task.kind === 'check-head' ? checkHead(task.bytes, task) : inferSchema(task.bytes, task) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { fault: { code: error.code, message: error.message } };
  }
}
