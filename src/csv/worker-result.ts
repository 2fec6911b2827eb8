import { CsvError, type FileErrorCode } from './model/csv-error.js';

/** A `CsvError` becomes a result, because errors lose their class between threads. */
export type WorkerResult<Found = unknown> =
  | { readonly found: Found }
  | { readonly fault: { readonly code: FileErrorCode; readonly message: string } };

export function toWorkerResult<Found>(work: () => Found): WorkerResult<Found> {
  try {
    return { found: work() };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { fault: { code: error.code, message: error.message } };
  }
}
