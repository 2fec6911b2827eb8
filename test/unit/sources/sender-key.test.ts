import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { InboundVerificationType } from '../../../src/catalog/model/inbound-auth-strategy.js';
import { parseSenderKey, senderKeyFormatOf } from '../../../src/sources/sender-key.js';
import { rawPublicKey } from '../../support/ingest/webhook-senders.js';

const ed25519 = generateKeyPairSync('ed25519');
const p256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const raw = rawPublicKey(ed25519);

const pem = (key: KeyObject): string => key.export({ format: 'pem', type: 'spki' }) as string;
const der = (key: KeyObject): string => key.export({ format: 'der', type: 'spki' }).toString('base64');
const privatePem = ({ privateKey }: { privateKey: KeyObject }): string =>
  privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
const whsec = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

type Row = [type: InboundVerificationType, what: string, text: string];

const KEYS: Row[] = [
  ['shared_token', 'any text', 'x'],
  ['hmac_sha256', 'text that another scheme would decode', 'whsec_used as is'],
  ['ed25519', '32 bytes in hexadecimal', raw.toString('hex')],
  ['ed25519', '32 bytes in base64', raw.toString('base64')],
  ['ed25519', 'PEM', pem(ed25519.publicKey)],
  ['ed25519', 'PEM from a JSON file', pem(ed25519.publicKey).replaceAll('\n', '\\n')],
  ['ecdsa_p256_sha256', 'PEM', pem(p256.publicKey)],
  ['ecdsa_p256_sha256', 'the base64 within the PEM', der(p256.publicKey)],
  ['standard_webhooks', 'a secret of 16 bytes', whsec(16)],
  ['standard_webhooks', 'a public key', `whpk_${raw.toString('base64')}`],
];

const NO_KEYS: Row[] = [
  ['none', 'anything', 'x'],
  ['hmac_sha256', 'nothing', ''],
  ['hmac_sha256', 'a text longer than the maximum', 'x'.repeat(8 * 1_024 + 1)],
  ['ed25519', '31 bytes', raw.subarray(1).toString('hex')],
  ['ed25519', 'upper case', raw.toString('hex').toUpperCase()],
  ['ed25519', 'base64 without its padding', raw.toString('base64url')],
  ['ed25519', 'a private key', privatePem(ed25519)],
  ['ed25519', 'a key of another kind', pem(p256.publicKey)],
  ['ecdsa_p256_sha256', 'a private key', privatePem(p256)],
  ['ecdsa_p256_sha256', 'a key of another kind', pem(ed25519.publicKey)],
  ['ecdsa_p256_sha256', 'another curve', pem(generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).publicKey)],
  ['ecdsa_p256_sha256', 'words', 'no key'],
  ['standard_webhooks', 'a secret of 15 bytes', whsec(15)],
  ['standard_webhooks', 'a secret without its prefix', whsec(24).slice('whsec_'.length)],
  ['standard_webhooks', 'a secret that is not base64', 'whsec_no base64 at all'],
  ['standard_webhooks', 'a private key', `whsk_${Buffer.alloc(64, 7).toString('base64')}`],
  ['standard_webhooks', 'a public key that is too short', `whpk_${raw.subarray(1).toString('base64')}`],
];

describe('the key of a sender', () => {
  it.each(KEYS)('of %s may be %s', (type, _, text) => {
    expect(parseSenderKey(type, text)).toBeDefined();
  });

  it.each(NO_KEYS)('of %s is not %s', (type, _, text) => {
    expect(parseSenderKey(type, text)).toBeUndefined();
    expect(senderKeyFormatOf(type)).toMatch(/^(It must |No key)/);
  });
});
