import iconv from 'iconv-lite';
import { failureOf } from './failure-table.js';

const UTF16_MARKS: readonly [encoding: string, mark: Buffer][] = [
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

/** `charset` of a Content-Type header (RFC 9110, section 8.3.1). */
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/** `encoding` of an XML declaration. */
const XML_ENCODING = /^<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([\w.-]+)["']/;

/**
 * Decodes a body by its byte order mark, else its Content-Type, else its XML declaration, else as UTF-8. Invalid bytes
 * become U+FFFD: one of them in a log message should not stop a tap. The result has no byte order mark.
 */
export function decodeText(body: Buffer, headers: Headers): string {
  const [marked] = UTF16_MARKS.find(([, mark]) => body.subarray(0, 2).equals(mark)) ?? [];
  const declared =
    CHARSET.exec(headers.get('content-type') ?? '') ?? XML_ENCODING.exec(body.toString('latin1', 0, 250));
  const encoding = marked ?? declared?.[1] ?? 'utf-8';
  if (!iconv.encodingExists(encoding))
    throw failureOf('unexpected_shape', { message: 'The response has an unknown character encoding.' });
  return iconv.decode(body, encoding);
}
