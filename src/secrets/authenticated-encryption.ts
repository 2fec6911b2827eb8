import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

/**
 * AES-256-GCM (NIST SP 800-38D) with a random nonce of 96 bits. What was encrypted in one context opens in no other. The
 * text is the nonce, the ciphertext and the tag of 128 bits, in base64url.
 */
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OPTIONS = { authTagLength: TAG_BYTES };

/** `context` is any number of texts: all that has to be the same again when it is opened. */
export function encrypt(key: KeyObject, context: readonly string[], plain: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, OPTIONS).setAAD(encodeContext(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** Undefined for whatever `encrypt` did not make with this key in this context. */
export function decrypt(key: KeyObject, context: readonly string[], text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Node passes over letters that are not of the alphabet, and over the last bits of the last one.
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, OPTIONS).setAAD(encodeContext(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Each text behind its length, so that no two contexts are spelled alike. */
function encodeContext(context: readonly string[]): Buffer {
  return Buffer.concat(
    context.flatMap((text) => {
      const bytes = Buffer.from(text);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}
