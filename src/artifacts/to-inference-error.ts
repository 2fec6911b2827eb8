import { CsvError } from '../csv/model/csv-error.js';
import { FileStoreError } from '../kernel/files/file-store.js';
import type { SchemaInferenceError } from './schema-inference.js';

/** What a client is told of an inference that threw. Anything unknown is WA-AF-099, and its own text stays in the log. */
export function toInferenceError(error: unknown): SchemaInferenceError {
  if (error instanceof CsvError) return { code: error.code, message: error.message };
  if (error instanceof FileStoreError)
    return { code: 'WA-AF-029', message: 'The file store cannot be reached; try again later.' };
  return { code: 'WA-AF-099', message: 'Something went wrong; the log has more under this request id.' };
}
