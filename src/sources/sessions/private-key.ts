import { createPrivateKey, type KeyObject } from 'node:crypto';
import { optionalField, requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { decryptPrivateKey } from './encrypted-private-key.js';

const FIELD = 'privateKey';
const MAX_TEXT_LENGTH = 32 * 1024;
/** Smaller keys are insecure, and signing with larger keys takes seconds. */
const RSA_BITS = [2_048, 8_192] as const;

const CURVES: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

export interface JwsSigningKey {
  readonly key: KeyObject;
  /** JWS algorithm (RFC 7518, RFC 8037). */
  readonly alg: string;
}

/**
 * Accepts PEM with PKCS#8, PKCS#1 or SEC 1. Decrypts the key with the field `privateKeyPassphrase` if necessary. Throws
 * `ConnectionConfigError`.
 */
export function readPrivateKey(connection: Connection): JwsSigningKey {
  // Keys copied from a JSON file contain `\n` as two characters.
  const pem = requiredField(connection, FIELD).replaceAll('\\n', '\n');
  const key = parseKey(pem, optionalField(connection, 'privateKeyPassphrase'));
  const alg = key && algorithmOf(key);
  if (!key || !alg) throw new ConnectionConfigError(FIELD, 'the value is not a supported private key in PEM.');
  return { key, alg };
}

function parseKey(pem: string, passphrase: string | undefined): KeyObject | undefined {
  if (pem.length > MAX_TEXT_LENGTH) return undefined;
  try {
    // Without a passphrase, OpenSSL runs no key derivation, so the iteration count needs no check.
    return passphrase && pem.includes('ENCRYPTED')
      ? decryptPrivateKey(pem, passphrase)
      : createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    return undefined;
  }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails ?? {};
  const [min, max] = RSA_BITS;
  if (asymmetricKeyType === 'rsa') return modulusLength >= min && modulusLength <= max ? 'RS256' : undefined;
  if (asymmetricKeyType === 'ec') return CURVES[namedCurve];
  return asymmetricKeyType === 'ed25519' ? 'EdDSA' : undefined;
}
