import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encodeBase62 } from '../kernel/base62.js';

/**
 * `wit_`, 256 random bits in 43 base62 digits, and a CRC-32 of both in 6 base62 digits. The CRC-32 lets the service
 * reject mistyped tokens without a query.
 */
const TOKEN_FORMAT = /^(wit_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

export const INGEST_TOKEN_PREFIX = 'wit_';

/** The API returns this number of characters. The 41 hidden characters contain 208 of the random bits. */
const SHOWN_PREFIX_CHARACTERS = 12;

export function newIngestToken(): { token: string; hash: string; prefix: string } {
  const number = BigInt(`0x${randomBytes(32).toString('hex')}`);
  const text = `${INGEST_TOKEN_PREFIX}${encodeBase62(number, 43)}`;
  const token = `${text}${checksum(text)}`;
  return { token, hash: hashOf(token), prefix: token.slice(0, SHOWN_PREFIX_CHARACTERS) };
}

/** Returns the hash of a token in hexadecimal, or undefined if the token is malformed or has a wrong checksum. */
export function parseIngestToken(token: string): string | undefined {
  const [, text, sum] = TOKEN_FORMAT.exec(token) ?? [];
  return text && checksum(text) === sum ? hashOf(token) : undefined;
}

/** SHA-256 is sufficient, because an attacker cannot find 256 random bits by brute force. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function checksum(text: string): string {
  return encodeBase62(BigInt(crc32(text)), 6);
}
