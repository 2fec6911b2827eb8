import { createPrivateKey, type KeyObject } from 'node:crypto';
import { optionalField, requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { decryptPrivateKey } from './encrypted-private-key.js';

const FIELD = 'privateKey';
const MAX_TEXT_LENGTH = 32 * 1024;
/** Smaller ones are broken; larger ones would sign for seconds. */
const RSA_BITS = [2_048, 8_192] as const;

const CURVES: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

export interface JwsSigningKey {
  readonly key: KeyObject;
  /** JWS algorithm (RFC 7518, section 3.1) that fits the key. */
  readonly alg: string;
}

/** The customer's private key: PEM of PKCS#8, PKCS#1 or SEC 1, perhaps with a passphrase in `privateKeyPassphrase`. */
export function readPrivateKey(connection: Connection): JwsSigningKey {
  // Keys that were copied out of a JSON file have their line ends spelled out.
  const pem = requiredField(connection, FIELD).replaceAll('\\n', '\n');
  const key = parseKey(pem, optionalField(connection, 'privateKeyPassphrase'));
  const alg = key && algorithmOf(key);
  if (!key || !alg) throw new ConnectionConfigError(FIELD, 'it is not a private key in PEM that can be used here.');
  return { key, alg };
}

function parseKey(pem: string, passphrase: string | undefined): KeyObject | undefined {
  if (pem.length > MAX_TEXT_LENGTH) return undefined;
  try {
    // Without a passphrase nothing is derived, whatever the text says of itself.
    return passphrase && pem.includes('ENCRYPTED')
      ? decryptPrivateKey(pem, passphrase)
      : createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    return undefined;
  }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails ?? {};
  const [least, most] = RSA_BITS;
  if (asymmetricKeyType === 'rsa') return modulusLength >= least && modulusLength <= most ? 'RS256' : undefined;
  if (asymmetricKeyType === 'ec') return CURVES[namedCurve];
  return asymmetricKeyType === 'ed25519' ? 'EdDSA' : undefined;
}
