import type { CsvWorkers } from '../csv/csv-workers.js';
import { HEAD_BYTES, MAX_HEAD_BYTES } from '../csv/model/csv-limits.js';
import type { CsvHead } from '../csv/model/data-schema.js';
import type { PeekableBytes } from './peekable-bytes.js';
import { toRequestError } from './to-inference-error.js';

/** Throws the errors of `toRequestError`. */
export async function checkCsvHead(csv: CsvWorkers, bytes: PeekableBytes): Promise<CsvHead> {
  try {
    const head = await bytes.peek(HEAD_BYTES);
    const found = await csv.checkHead(head, { isWhole: bytes.isWhole });
    if (found !== 'more') return found;
    const longer = await bytes.peek(MAX_HEAD_BYTES);
    return (await csv.checkHead(longer, { isWhole: bytes.isWhole })) as CsvHead;
  } catch (error) {
    throw toRequestError(error);
  }
}
