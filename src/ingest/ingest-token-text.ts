import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encodeBase62 } from '../kernel/base62.js';

/**
 * `wit_`, 256 random bits in 43 digits of base62, and in 6 more a CRC-32 of all before it. All of it may stand in an address as it is, and
 * the checksum turns away what was mistyped or made up before the database is asked.
 */
const TOKEN_FORMAT = /^(wit_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

export const INGEST_TOKEN_PREFIX = 'wit_';

/** Characters that are shown, of 53: 208 of the random bits are in the rest. */
const SHOWN_PREFIX_CHARACTERS = 12;

/** A new token, what is kept of it, and what is shown of it later on. */
export function newIngestToken(): { token: string; hash: string; prefix: string } {
  const number = BigInt(`0x${randomBytes(32).toString('hex')}`);
  const text = `${INGEST_TOKEN_PREFIX}${encodeBase62(number, 43)}`;
  const token = `${text}${checksum(text)}`;
  return { token, hash: hashOf(token), prefix: token.slice(0, SHOWN_PREFIX_CHARACTERS) };
}

/** The hash of a token, 64 hexadecimal digits, or undefined where the text is none. */
export function parseIngestToken(token: string): string | undefined {
  const [, text, sum] = TOKEN_FORMAT.exec(token) ?? [];
  return text && checksum(text) === sum ? hashOf(token) : undefined;
}

/** Plain SHA-256 is enough for 256 random bits: there is nothing to guess. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function checksum(text: string): string {
  return encodeBase62(BigInt(crc32(text)), 6);
}
