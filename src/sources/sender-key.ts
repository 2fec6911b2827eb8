import { createPublicKey, type KeyObject } from 'node:crypto';
import type { InboundVerificationType } from '../catalog/model/inbound-auth-strategy.js';
import { decodeStrictBase64, decodeStrictHex } from '../kernel/formats/strict-decode.js';

/** What a delivery is verified with: a secret that both sides hold, or the sender's public key. */
export type SenderKey = { readonly secret: Buffer } | { readonly publicKey: KeyObject };

/** Texts of keys are short; what is longer is none. */
const MAX_TEXT_LENGTH = 8 * 1024;

/** Bytes that a secret of Standard Webhooks has at the least. */
const MIN_SECRET_BYTES = 16;

/** Of the SubjectPublicKeyInfo of an Ed25519 key, what stands before its 32 bytes (RFC 8410, section 4). */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');

type KeyReader = (text: string) => SenderKey | undefined;

const shared: KeyReader = (text) => ({ secret: Buffer.from(text) });

const READERS: Record<InboundVerificationType, { readonly read: KeyReader; readonly form: string }> = {
  none: { read: () => undefined, form: 'No key is needed' },
  shared_token: { read: shared, form: 'It is a token' },
  basic: { read: shared, form: 'It is a password' },
  hmac_sha1: { read: shared, form: 'It is a secret' },
  hmac_sha256: { read: shared, form: 'It is a secret' },
  hmac_sha512: { read: shared, form: 'It is a secret' },
  ed25519: { read: ed25519Key, form: 'It is an Ed25519 public key: 32 bytes in hexadecimal or base64, or PEM' },
  ecdsa_p256_sha256: { read: p256Key, form: 'It is a public key on P-256: PEM, or the base64 within it' },
  standard_webhooks: { read: standardKey, form: 'It is `whsec_` or `whpk_` with base64 behind it' },
};

/** The key that a field of the config holds; undefined where it cannot be one. */
export function parseSenderKey(type: InboundVerificationType, text: string): SenderKey | undefined {
  if (text === '' || text.length > MAX_TEXT_LENGTH) return undefined;
  return READERS[type].read(text);
}

/** How such a key is spelled, in a sentence without its full stop. */
export function senderKeyFormatOf(type: InboundVerificationType): string {
  return READERS[type].form;
}

function ed25519Key(text: string): SenderKey | undefined {
  const raw = decodeStrictHex(text) ?? decodeStrictBase64(text);
  return raw?.length === 32
    ? ed25519Of(raw)
    : publicKey(text, ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519');
}

function ed25519Of(raw: Buffer): SenderKey | undefined {
  return publicKey(Buffer.concat([ED25519_SPKI, raw]).toString('base64'), () => true);
}

function p256Key(text: string): SenderKey | undefined {
  return publicKey(text, ({ asymmetricKeyDetails }) => asymmetricKeyDetails?.namedCurve === 'prime256v1');
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Signature scheme". */
function standardKey(text: string): SenderKey | undefined {
  const [, kind, key = ''] = /^(whsec_|whpk_)(.*)$/.exec(text) ?? [];
  const bytes = decodeStrictBase64(key);
  if (kind === 'whsec_') return bytes && bytes.length >= MIN_SECRET_BYTES ? { secret: bytes } : undefined;
  return kind === 'whpk_' && bytes?.length === 32 ? ed25519Of(bytes) : undefined;
}

/** Of a PEM, or of the base64 of its SubjectPublicKeyInfo. */
function publicKey(text: string, fits: (key: KeyObject) => boolean): SenderKey | undefined {
  if (text.includes('PRIVATE KEY')) return undefined; // Node would take the public half out of it, and it would lie here
  const der = decodeStrictBase64(text);
  try {
    const key = createPublicKey(der ? { key: der, format: 'der', type: 'spki' } : text.replaceAll('\\n', '\n'));
    return fits(key) ? { publicKey: key } : undefined;
  } catch {
    return undefined;
  }
}
