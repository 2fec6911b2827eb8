import iconv from 'iconv-lite';
import type { SpooledBytes } from '../../kernel/files/spooled-bytes.js';
import { failureOf } from './failure-table.js';

const UTF16_MARKS: readonly [encoding: string, mark: Buffer][] = [
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

const UTF8_NAMES = /^(utf-?8|us-ascii|ascii)$/i;

/** RFC 9110, section 8.3.1. */
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

const XML_ENCODING = /^<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([\w.-]+)["']/;

/** Enough for an XML declaration. */
const HEAD_BYTES = 250;

/** The result has no byte order mark. */
export function decodeText(body: Buffer, headers: Headers, fallback?: string): string {
  const encoding = encodingOf(body, headers, fallback);
  if (!UTF8_NAMES.test(encoding)) return iconv.decode(body, encoding);
  const text = body.toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** The result has no byte order mark. */
export async function* decodeChunks(
  body: SpooledBytes,
  headers: Headers,
  chunkBytes: number,
  fallback?: string,
): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(await encodingOfBody(body, headers, fallback));
  for await (const chunk of body.chunks(chunkBytes)) yield decoder.write(chunk);
  yield decoder.end() ?? '';
}

/** Returns whether the service decodes the body as UTF-8. The body may contain invalid bytes. */
export async function isUtf8Body(body: SpooledBytes, headers: Headers): Promise<boolean> {
  return UTF8_NAMES.test(await encodingOfBody(body, headers));
}

async function encodingOfBody(body: SpooledBytes, headers: Headers, fallback?: string): Promise<string> {
  return encodingOf(await body.read(0, Math.min(HEAD_BYTES, body.size)), headers, fallback);
}

/**
 * The byte order mark of UTF-16 overrides the Content-Type, which overrides the XML declaration. Throws `TapReadError`
 * if the encoding is unknown. An invalid byte becomes U+FFFD, because it should not stop a tap.
 */
function encodingOf(body: Buffer, headers: Headers, fallback = 'utf-8'): string {
  const [marked] = UTF16_MARKS.find(([, mark]) => body.subarray(0, 2).equals(mark)) ?? [];
  const declared =
    CHARSET.exec(headers.get('content-type') ?? '') ?? XML_ENCODING.exec(body.toString('latin1', 0, HEAD_BYTES));
  const encoding = marked ?? declared?.[1] ?? fallback;
  if (!iconv.encodingExists(encoding))
    throw failureOf('unexpected_shape', { message: 'The response has an unknown character encoding.' });
  return encoding;
}
