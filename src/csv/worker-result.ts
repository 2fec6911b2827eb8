import { CsvError, type FileErrorCode } from './model/csv-error.js';

/** Errors lose their class between threads, so a `CsvError` is returned as a result. */
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
