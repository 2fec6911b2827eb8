import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { decodeId } from '../../kernel/ids.js';

/**
 * `wak_`, the id of the workspace, 43 random characters (256 bits, base64url), `_`, and a CRC-32 in hexadecimal. The
 * CRC-32 lets the service reject mistyped keys without a query.
 */
const API_KEY_FORMAT = /^wak_([0-9A-Za-z]{22})[\w-]{43}_([0-9a-f]{8})$/;

export const API_KEY_PREFIX = 'wak_';

export function generateApiKey(tenantId: string): string {
  const text = `${API_KEY_PREFIX}${tenantId}${randomBytes(32).toString('base64url')}`;
  return `${text}_${checksum(text)}`;
}

/** Returns undefined if the text is malformed or has a wrong checksum. */
export function parseApiKey(text: string): { tenantId: string; hash: string } | undefined {
  const [, tenantId, sum] = API_KEY_FORMAT.exec(text) ?? [];
  if (!tenantId || !decodeId(tenantId) || checksum(text.slice(0, -9)) !== sum) return undefined;
  return { tenantId, hash: hashApiKey(text) };
}

/** A slow hash is unnecessary, because an attacker cannot guess 256 random bits. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
