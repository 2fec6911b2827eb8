import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { KeyRingError, parseKeyRing, SealingKeyMissing } from '../../../src/secrets/key-ring.js';

const aKey = (length = 32): string => randomBytes(length).toString('base64');

function faultOf(text: string): KeyRingError {
  try {
    parseKeyRing(text);
  } catch (error) {
    if (error instanceof KeyRingError) return error;
    throw error;
  }
  throw new Error('the key ring was accepted');
}

describe('a key ring', () => {
  it('wraps with its first key and finds each key by its id', () => {
    const [first, second] = [aKey(), aKey()];
    const ring = parseKeyRing(`2026.b:${first}, a_1-x:${second}\n`);
    expect(ring.newest.id).toBe('2026.b');
    expect(ring.newest.key.export()).toEqual(Buffer.from(first, 'base64'));
    expect(ring.key('a_1-x').export()).toEqual(Buffer.from(second, 'base64'));
  });

  it('names a missing key, unless its id has invalid characters', () => {
    const ring = parseKeyRing(`a:${aKey()}`);
    expect(() => ring.key('b')).toThrow(new SealingKeyMissing('b'));
    expect(() => ring.key('b')).toThrow(
      'The sealing key b is not among the configured sealing keys. Add the key again.',
    );
    expect(new SealingKeyMissing('b\nlevel=error').message).not.toContain('level');
  });

  const [key, other] = [aKey(), aKey()];
  const ID = 'requires, in entry 2, an id of 1 to 32 letters, digits, dots, - or _, followed by a colon';
  const KEY = 'requires, in entry 2, a key of exactly 32 bytes in base64';
  it.each([
    ['nothing', ', ', 'requires at least one entry id:key with a key of 32 bytes in base64'],
    ['no id', `a:${key},${other}`, ID],
    ['an empty id', `a:${key},:${other}`, ID],
    ['an invalid character in an id', `a:${key},b/c:${other}`, ID],
    ['a long id', `a:${key},${'b'.repeat(33)}:${other}`, ID],
    ['no key', `a:${key},b:`, KEY],
    ['31 bytes', `a:${key},b:${aKey(31)}`, KEY],
    ['33 bytes', `a:${key},b:${aKey(33)}`, KEY],
    ['no padding', `a:${key},b:${other.replace('=', '')}`, KEY],
    ['base64url', `a:${key},b:${'-_'.repeat(21)}-=`, KEY],
    ['an invalid character in a key', `a:${key},b:${other.slice(0, 20)}!${other.slice(20)}`, KEY],
    ['a key of 16 bytes in hexadecimal', `a:${key},b:${randomBytes(16).toString('hex')}`, KEY],
    ['an id twice', `a:${key},a:${other}`, 'repeats an earlier id in entry 2'],
    ['a key twice', `a:${key},b:${key}`, 'repeats an earlier key in entry 2'],
  ])('is rejected with %s, without being quoted', (_, text, message) => {
    const error = faultOf(text);
    expect(error.message).toBe(message);
    for (const secret of [key, other]) expect(inspect(error, { depth: Infinity })).not.toContain(secret.slice(0, 12));
  });

  it('does not reveal its keys when printed', () => {
    const ring = parseKeyRing(`a:${key}`);
    const printed = inspect(ring, { depth: Infinity, showHidden: true }) + JSON.stringify(ring);
    const bytes = Buffer.from(key, 'base64');
    const forms = [key, bytes.toString('hex'), bytes.toString('latin1'), inspect(bytes).slice(8, 40), bytes.join()];
    for (const form of forms) expect(printed).not.toContain(form);
  });
});
