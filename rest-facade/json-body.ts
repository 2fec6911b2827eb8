import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import type { ErrorCode } from '../src/kernel/errors.js';
import type { ByteLimit } from './byte-limit.js';
import { FacadeError } from './errors.js';

const MAX_BODY: ByteLimit = { bytes: 1024 * 1024, text: '1 MiB' };

/**
 * Accepts a JSON object in UTF-8 (RFC 8259) of at most 1 MiB, or an empty body. Throws `FacadeError` for any other
 * body.
 */
export async function readBodyFields(request: IncomingMessage): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  if (!/^application\/json *(; *charset="?utf-8"? *)?$/i.test(request.headers['content-type'] ?? ''))
    throw new FacadeError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8.');
  return parseJsonObject(decodeUtf8(bytes), 'The body');
}

/** Error messages start with `subject`. */
export function parseJsonObject(
  text: string | undefined,
  subject: string,
  code: ErrorCode = 'BAD_REQUEST',
): Record<string, unknown> {
  const value = parse(text);
  if (value === undefined) throw new FacadeError(code, `${subject} is not valid JSON in UTF-8.`);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FacadeError(code, `${subject} must be a JSON object.`);
  return value as Record<string, unknown>;
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding !== 'identity') throw new FacadeError('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed.');
  return readRawBody(request, MAX_BODY);
}

/** Does not decompress the body. Throws PAYLOAD_TOO_LARGE for a body over the limit. */
export async function readRawBody(request: IncomingMessage, { bytes: limit, text }: ByteLimit): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit, length: request.headers['content-length'] });
  } catch (error) {
    const { type } = error as { type?: string };
    if (type === 'entity.too.large')
      throw new FacadeError('PAYLOAD_TOO_LARGE', `The request body exceeds the limit of ${text}.`);
    throw new FacadeError('BAD_REQUEST', 'The body ended early. Send the request again.');
  }
}

/** Removes a leading byte order mark. Returns undefined if the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
