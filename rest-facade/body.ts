import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { Refusal } from './errors.js';

const MAX_BYTES = 1024 * 1024;

/** The fields of a JSON body: an object in UTF-8 (RFC 8259), 1 MiB at the most. No body is one without fields. */
export async function readFields(request: IncomingMessage): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  if (!/^application\/json *(; *charset="?utf-8"? *)?$/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8.');
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('BAD_REQUEST', 'The body must be a JSON object.');
  return value as Record<string, unknown>;
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = request.headers;
  if (encoding !== 'identity') throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The body may not be compressed.');
  try {
    return await getRawBody(request, { limit: MAX_BYTES, length });
  } catch (error) {
    const { type } = error as { type?: string };
    if (type === 'entity.too.large') throw new Refusal('PAYLOAD_TOO_LARGE', `A body may have ${MAX_BYTES} bytes.`);
    throw new Refusal('BAD_REQUEST', 'The body did not arrive whole.');
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal('BAD_REQUEST', 'The body is not JSON in UTF-8.');
  }
}
