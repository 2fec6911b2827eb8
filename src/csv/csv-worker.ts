import { checkHead } from './check-head.js';
import { inferSchema } from './infer-schema.js';
import type { CsvHead, InferredSchema, ProposedTypes } from './model/data-schema.js';
import { toWorkerResult, type WorkerResult } from './worker-result.js';

export type WorkerTask =
  | { readonly kind: 'check-head'; readonly bytes: Uint8Array; readonly isWhole: boolean }
  | {
      readonly kind: 'infer-schema';
      readonly bytes: Uint8Array;
      readonly isWhole: boolean;
      readonly proposals?: ProposedTypes;
    };

export default function runTask(task: WorkerTask): WorkerResult<CsvHead | 'more' | InferredSchema> {
  return toWorkerResult(() =>
    task.kind === 'check-head' ? checkHead(task.bytes, task) : inferSchema(task.bytes, task),
  );
}
