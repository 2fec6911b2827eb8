import { Semaphore } from '../../kernel/concurrency/semaphore.js';
import { AppError } from '../../kernel/errors.js';
import { decompressBody, type RequestContentCoding } from '../../kernel/formats/decompress-body.js';
import { IngestBodyScanner } from './ingest-body-scanner.js';

export const MAX_INGEST_BODY_BYTES = 1024 * 1024;
export const MAX_UNPACKED_BYTES = 20 * 1024 * 1024;

export interface BodyHeaders {
  readonly 'content-type'?: string | undefined;
  readonly 'content-encoding'?: string | undefined;
}

const UTF8 = '(?: *; *charset="?utf-8"? *)?$';

/** Types with the suffix `+json` are JSON, too (RFC 6839, section 3.1). */
const FORMATS: readonly [type: RegExp, read: (text: IngestBodyScanner) => Promise<readonly string[]>][] = [
  [new RegExp(`^application/(?:[a-z0-9!#$&^_.-]+\\+)?json${UTF8}`, 'i'), (text) => text.scanJson()],
  [new RegExp(`^application/(?:x-ndjson|ndjson|jsonl)${UTF8}`, 'i'), (text) => text.scanLines()],
];

/** Limits the number of decompressed bodies in memory. */
const unpackSlots = new Semaphore(4);

const CODINGS: readonly RequestContentCoding[] = ['gzip', 'x-gzip'];

/**
 * The body is a JSON object, an array of objects, or one object per line, optionally compressed with gzip. Returns one
 * line of JSON per record. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE and BAD_REQUEST.
 */
export function parseIngestBody(body: Buffer, headers: BodyHeaders): Promise<readonly string[]> {
  // Uncompressed bodies are small and need no slot.
  return headers['content-encoding'] ? unpackSlots.run(() => readAll(body, headers)) : readAll(body, headers);
}

async function readAll(body: Buffer, headers: BodyHeaders): Promise<readonly string[]> {
  const { 'content-type': type = '', 'content-encoding': encoding } = headers;
  const [, read] = FORMATS.find(([format]) => format.test(type.trim())) ?? [];
  if (!read)
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be application/json or application/x-ndjson, in UTF-8.',
    );
  const text = decode(await decompressBody(body, encoding, { codings: CODINGS, limit: MAX_UNPACKED_BYTES }));
  return read(new IngestBodyScanner(text));
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('BAD_REQUEST', 'The body is not UTF-8.');
  }
}
