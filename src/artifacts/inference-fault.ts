import { CsvFault } from '../csv/csv-fault.js';
import { StoringFailed } from '../kernel/file-store.js';
import type { SchemaInferenceError } from './schema-inference.js';

/** What a client is told of an inference that threw. Anything unknown is WA-AF-099, and its own text stays in the log. */
export function inferenceFault(error: unknown): SchemaInferenceError {
  if (error instanceof CsvFault) return { code: error.code, message: error.message };
  if (error instanceof StoringFailed)
    return { code: 'WA-AF-029', message: 'The file store cannot be reached; try again later.' };
  return { code: 'WA-AF-099', message: 'Something went wrong; the log has more under this request id.' };
}
