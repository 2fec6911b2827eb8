import { checkHead } from './check-head.js';
import { CsvFault, type FileFaultCode } from './csv-fault.js';
import type { CsvHead, InferredSchema, ProposedTypes } from './data-schema.js';
import { inferSchema } from './infer-schema.js';

/** What a thread is asked. */
export type WorkerTask =
  | { readonly kind: 'check-head'; readonly bytes: Uint8Array; readonly isWhole: boolean }
  | {
      readonly kind: 'infer-schema';
      readonly bytes: Uint8Array;
      readonly isWhole: boolean;
      readonly proposals?: ProposedTypes;
    };

/** An error loses its class on the way between threads, so a fault is told as an answer. */
export type WorkerAnswer =
  | { readonly found: CsvHead | 'more' | InferredSchema }
  | { readonly fault: { readonly code: FileFaultCode; readonly message: string } };

/** Runs in a thread of its own. */
export default function answer(task: WorkerTask): WorkerAnswer {
  try {
    return { found: task.kind === 'check-head' ? checkHead(task.bytes, task) : inferSchema(task.bytes, task) };
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    return { fault: { code: error.code, message: error.message } };
  }
}
