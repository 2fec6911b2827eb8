import { createPrivateKey, type KeyObject } from 'node:crypto';

const ENCRYPTED_PKCS8_PEM =
  /^-----BEGIN ENCRYPTED PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END ENCRYPTED PRIVATE KEY-----$/;
/** RFC 1421, whose keys are made in a single round. */
const ENCRYPTED_TRADITIONAL_PEM =
  /^-----BEGIN (RSA|EC) PRIVATE KEY-----\s+Proc-Type: 4,ENCRYPTED\s+[^\n]+\s+[A-Za-z0-9+/=\s]+-----END \1 PRIVATE KEY-----$/;

/**
 * How a key under a passphrase begins in DER, as hex: PBES2 and PBKDF2 (RFC 8018, appendix A), salt, number of rounds.
 * Lengths that have more than one spelling are taken in the usual one only.
 */
const PBES2_HEADER =
  /^30(?:[0-7].|81..|82....)30..06092a864886f70d01050d30..30..06092a864886f70d01050c30..04(?:08.{16}|10.{32}|20.{64})02(0[1-4])/;

/** OpenSSL itself uses 2,048. Opening a key holds up everybody else, and whoever made it says for how long. */
const MAX_PBKDF2_ITERATIONS = 100_000;

/**
 * The key of a PEM block under a passphrase; nothing where it is of an unknown kind or would take too long to open. Throws
 * where it does not open.
 */
export function decryptPrivateKey(pem: string, passphrase: string): KeyObject | undefined {
  const text = pem.trim();
  if (ENCRYPTED_TRADITIONAL_PEM.test(text)) return createPrivateKey({ key: text, format: 'pem', passphrase });
  // What is opened is the bytes that were looked at: OpenSSL would find others in the text.
  const der = Buffer.from(ENCRYPTED_PKCS8_PEM.exec(text)?.[1] ?? '', 'base64');
  const header = PBES2_HEADER.exec(der.subarray(0, 200).toString('hex'));
  if (!header) return undefined;
  const rounds = der.readUIntBE(header[0].length / 2, Number(header[1]));
  return rounds <= MAX_PBKDF2_ITERATIONS
    ? createPrivateKey({ key: der, format: 'der', type: 'pkcs8', passphrase })
    : undefined;
}
