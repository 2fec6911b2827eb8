import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decrypt, encrypt } from '../../../src/secrets/authenticated-encryption.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const key = createSecretKey(randomBytes(32));
const plain = Buffer.from('geheim → 🔑');

describe('encryption', () => {
  it.each([0, 1, 15, 16, 17, 1000])('round-trips %i bytes', (length) => {
    const bytes = randomBytes(length);
    expect(decrypt(key, ['a'], encrypt(key, ['a'], bytes))).toEqual(bytes);
  });

  it('decrypts test case 15 of the GCM specification', () => {
    const hex = (text: string): Buffer => Buffer.from(text, 'hex');
    const known = createSecretKey(hex('feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308'));
    const text = Buffer.concat([
      hex('cafebabefacedbaddecaf888'),
      hex('522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa'),
      hex('8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad'),
      hex('b094dac5d93471bdec1a502270e3cc6c'),
    ]).toString('base64url');
    expect(decrypt(known, [], text)?.toString('hex')).toMatch(/^d9313225f88406e5a55909c5aff5269a.*1aafd255$/);
  });

  it('rejects a ciphertext with a changed, missing or additional character', () => {
    const text = encrypt(key, ['a'], plain);
    for (let at = 0; at < text.length; at++) {
      const [before, after] = [text.slice(0, at), text.slice(at + 1)];
      const others = [...ALPHABET, '=', ' ', '+', '/', '.', '\n', 'é'].filter((letter) => letter !== text[at]);
      const changed = [...others.map((letter) => before + letter + after), before + after, before];
      const added = [`${before}A${text.slice(at)}`, `${before} ${text.slice(at)}`];
      expect([...changed, ...added].filter((one) => one !== text && decrypt(key, ['a'], one))).toEqual([]);
    }
    for (const end of ['=', '==', ' ', '\n', 'A', '.']) expect(decrypt(key, ['a'], text + end)).toBeUndefined();
    expect(decrypt(createSecretKey(randomBytes(32)), ['a'], text)).toBeUndefined();
  });

  it('rejects a context with the same concatenation or another order', () => {
    const text = encrypt(key, ['ab', 'c', ''], plain);
    const others = [['abc'], ['a', 'bc', ''], ['ab', 'c'], ['ab', '', 'c'], ['', 'ab', 'c'], ['c', 'ab', ''], []];
    for (const other of others) expect(decrypt(key, other, text)).toBeUndefined();
    expect(decrypt(key, ['ab', 'c', ''], text)).toEqual(plain);
  });

  it('repeats no nonce in 100,000 encryptions', () => {
    const nonces = new Set<string>();
    for (let time = 0; time < 100_000; time++) nonces.add(encrypt(key, [], plain).slice(0, 16));
    expect(nonces.size).toBe(100_000);
  });
});
