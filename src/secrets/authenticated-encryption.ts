import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

/**
 * AES-256-GCM (NIST SP 800-38D). GCM authenticates the context, so a ciphertext does not decrypt in another context.
 * The encrypted text is the random nonce, the ciphertext and the tag in base64url.
 */
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OPTIONS = { authTagLength: TAG_BYTES };

/** Decryption requires the same `context`. */
export function encrypt(key: KeyObject, context: readonly string[], plain: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, OPTIONS).setAAD(encodeContext(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** Returns undefined if `encrypt` did not produce the text with this key and context. */
export function decrypt(key: KeyObject, context: readonly string[], text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Node ignores characters outside the alphabet and surplus bits of the last character. The comparison with the
  // encoded bytes detects them.
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

/** The length before each string ensures that different contexts never encode to the same bytes. */
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
