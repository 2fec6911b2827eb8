import { createPrivateKey, type KeyObject } from 'node:crypto';

const ENCRYPTED_PKCS8_PEM =
  /^-----BEGIN ENCRYPTED PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END ENCRYPTED PRIVATE KEY-----$/;
/** PEM with the encryption of RFC 1421, whose key derivation is a single round. */
const ENCRYPTED_TRADITIONAL_PEM =
  /^-----BEGIN (RSA|EC) PRIVATE KEY-----\s+Proc-Type: 4,ENCRYPTED\s+[^\n]+\s+[A-Za-z0-9+/=\s]+-----END \1 PRIVATE KEY-----$/;

/**
 * Matches the start of an encrypted key in hexadecimal DER: PBES2 and PBKDF2 (RFC 8018, appendix A), salt and iteration
 * count. Matches only the shortest encoding of each length.
 */
const PBES2_HEADER =
  /^30(?:[0-7].|81..|82....)30..06092a864886f70d01050d30..30..06092a864886f70d01050c30..04(?:08.{16}|10.{32}|20.{64})02(0[1-4])/;

/** The submitted key determines the number of iterations, and decryption blocks the event loop. OpenSSL uses 2,048. */
const MAX_PBKDF2_ITERATIONS = 100_000;

/** Returns undefined for an unsupported format or too many PBKDF2 iterations. Throws for a wrong passphrase. */
export function decryptPrivateKey(pem: string, passphrase: string): KeyObject | undefined {
  const text = pem.trim();
  if (ENCRYPTED_TRADITIONAL_PEM.test(text)) return createPrivateKey({ key: text, format: 'pem', passphrase });
  // This function decodes the PEM itself, so that OpenSSL reads the same bytes as the checks below.
  const der = Buffer.from(ENCRYPTED_PKCS8_PEM.exec(text)?.[1] ?? '', 'base64');
  const header = PBES2_HEADER.exec(der.subarray(0, 200).toString('hex'));
  if (!header) return undefined;
  const iterations = der.readUIntBE(header[0].length / 2, Number(header[1]));
  return iterations <= MAX_PBKDF2_ITERATIONS
    ? createPrivateKey({ key: der, format: 'der', type: 'pkcs8', passphrase })
    : undefined;
}
