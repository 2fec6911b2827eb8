import { CsvError } from '../csv/model/csv-error.js';
import { AppError, type ErrorCode } from '../kernel/errors.js';
import { FileStoreError } from '../kernel/files/file-store.js';
import type { SchemaInferenceError } from './schema-inference.js';

/** Converts an unknown error to WA-AF-099 without its details. */
export function toInferenceError(error: unknown): SchemaInferenceError {
  if (error instanceof CsvError) return { code: error.code, message: error.message };
  if (error instanceof FileStoreError)
    return { code: 'WA-AF-029', message: 'The file store is unavailable. Try again later.' };
  return {
    code: 'WA-AF-099',
    message: 'An internal error occurred. The log of the service contains the error.',
  };
}

/**
 * Converts a `CsvError` to an `AppError` with the same code, and a `FileStoreError` to WA-AF-029. Returns other errors
 * unchanged.
 */
export function toRequestError(error: unknown): unknown {
  if (!(error instanceof CsvError || error instanceof FileStoreError)) return error;
  const { code, message } = toInferenceError(error);
  return new AppError(code as ErrorCode, message, { cause: error });
}
