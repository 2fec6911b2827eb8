import { createPublicKey, type KeyObject } from 'node:crypto';
import type { InboundVerificationType } from '../catalog/model/inbound-auth-strategy.js';
import { decodeStrictBase64, decodeStrictHex } from '../kernel/formats/strict-decode.js';

/** A shared secret, or the public key of the sender. */
export type SenderKey = { readonly secret: Buffer } | { readonly publicKey: KeyObject };

const MAX_TEXT_LENGTH = 8 * 1024;

/** Minimum length of a Standard Webhooks secret. */
const MIN_SECRET_BYTES = 16;

/** The bytes before the 32-byte key in the SubjectPublicKeyInfo of an Ed25519 key (RFC 8410, section 4). */
const ED25519_SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

type KeyParser = (text: string) => SenderKey | undefined;

const shared: KeyParser = (text) => ({ secret: Buffer.from(text) });

const TOO_LONG = `It must have at most ${MAX_TEXT_LENGTH.toLocaleString('en')} characters`;

const KEY_FORMATS: Record<InboundVerificationType, { readonly parse: KeyParser; readonly description: string }> = {
  none: { parse: () => undefined, description: 'No key is needed' },
  shared_token: { parse: shared, description: TOO_LONG },
  basic: { parse: shared, description: TOO_LONG },
  hmac_sha1: { parse: shared, description: TOO_LONG },
  hmac_sha256: { parse: shared, description: TOO_LONG },
  hmac_sha512: { parse: shared, description: TOO_LONG },
  ed25519: {
    parse: ed25519Key,
    description: 'It must be an Ed25519 public key: 32 bytes in hexadecimal or base64, or PEM',
  },
  ecdsa_p256_sha256: {
    parse: p256Key,
    description: 'It must be a P-256 public key: PEM, or the base64 content of the PEM',
  },
  standard_webhooks: { parse: standardKey, description: 'It must be `whsec_` or `whpk_`, followed by base64' },
};

/** Returns undefined for an invalid key. */
export function parseSenderKey(type: InboundVerificationType, text: string): SenderKey | undefined {
  if (text === '' || text.length > MAX_TEXT_LENGTH) return undefined;
  return KEY_FORMATS[type].parse(text);
}

/** Returns a sentence without its full stop. */
export function senderKeyFormatOf(type: InboundVerificationType): string {
  return KEY_FORMATS[type].description;
}

function ed25519Key(text: string): SenderKey | undefined {
  const raw = decodeStrictHex(text) ?? decodeStrictBase64(text);
  return raw?.length === 32
    ? ed25519Of(raw)
    : publicKey(text, ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519');
}

function ed25519Of(raw: Buffer): SenderKey | undefined {
  return publicKey(Buffer.concat([ED25519_SPKI_PREFIX, raw]).toString('base64'), () => true);
}

function p256Key(text: string): SenderKey | undefined {
  return publicKey(text, ({ asymmetricKeyDetails }) => asymmetricKeyDetails?.namedCurve === 'prime256v1');
}

/**
 * Parses a key in the format of
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Signature scheme".
 */
function standardKey(text: string): SenderKey | undefined {
  const [, kind, key = ''] = /^(whsec_|whpk_)(.*)$/.exec(text) ?? [];
  const bytes = decodeStrictBase64(key);
  if (kind === 'whsec_') return bytes && bytes.length >= MIN_SECRET_BYTES ? { secret: bytes } : undefined;
  return kind === 'whpk_' && bytes?.length === 32 ? ed25519Of(bytes) : undefined;
}

/** Parses PEM, or the base64 of a SubjectPublicKeyInfo. */
function publicKey(text: string, fits: (key: KeyObject) => boolean): SenderKey | undefined {
  // From a private key, Node would derive the public key. The service would then store a private key that it does not
  // need.
  if (text.includes('PRIVATE KEY')) return undefined;
  const der = decodeStrictBase64(text);
  try {
    const key = createPublicKey(der ? { key: der, format: 'der', type: 'spki' } : text.replaceAll('\\n', '\n'));
    return fits(key) ? { publicKey: key } : undefined;
  } catch {
    return undefined;
  }
}
