import { createSecretKey, type KeyObject } from 'node:crypto';

/** A sealing key. The database stores `id` with every data key that the sealing key wraps. */
interface RingKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** Length of an AES-256 key. */
export const KEY_BYTES = 32;

const KEY_ID = /^[A-Za-z0-9._-]{1,32}$/;

/** The message can contain the position of an invalid entry, but never quotes the entry. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';
}

/** The service logs the error, so that the operator knows which key to restore. */
export class SealingKeyMissing extends Error {
  override readonly name = 'SealingKeyMissing';

  constructor(readonly keyId: string) {
    super(
      KEY_ID.test(keyId)
        ? `The sealing key ${keyId} is not among the configured sealing keys. Add the key again.`
        : 'A stored data key contains an invalid id of its sealing key.',
    );
  }
}

/** The service wraps data keys with the newest sealing key, and can unwrap them with any sealing key of the ring. */
export class KeyRing {
  readonly newest: RingKey;
  readonly #keys: ReadonlyMap<string, KeyObject>;

  constructor(keys: readonly [RingKey, ...RingKey[]]) {
    this.newest = keys[0];
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]));
  }

  /** Throws `SealingKeyMissing`. */
  key(id: string): KeyObject {
    const key = this.#keys.get(id);
    if (!key) throw new SealingKeyMissing(id);
    return key;
  }
}

/**
 * Parses entries of the form `id:key`, newest first, separated by commas or white space. A key is 32 bytes in base64
 * (RFC 4648, section 4). Throws `KeyRingError`, whose message continues a sentence that starts with the name of the
 * setting.
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  const keys = entries.map((entry, at) => parseEntry(entry, at + 1));
  const [newest, ...older] = keys;
  if (!newest) throw new KeyRingError('requires at least one entry id:key with a key of 32 bytes in base64');
  keys.forEach(({ id, key }, at) => {
    const earlier = keys.slice(0, at);
    if (earlier.some((other) => other.id === id)) throw new KeyRingError(`repeats an earlier id in entry ${at + 1}`);
    if (earlier.some((other) => other.key.equals(key)))
      throw new KeyRingError(`repeats an earlier key in entry ${at + 1}`);
  });
  return new KeyRing([newest, ...older]);
}

function parseEntry(entry: string, number: number): RingKey {
  const at = entry.indexOf(':');
  const [id, encoded] = [entry.slice(0, Math.max(at, 0)), entry.slice(at + 1)];
  if (!KEY_ID.test(id)) {
    throw new KeyRingError(
      `requires, in entry ${number}, an id of 1 to 32 letters, digits, dots, - or _, followed by a colon`,
    );
  }
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== encoded) {
    throw new KeyRingError(`requires, in entry ${number}, a key of exactly 32 bytes in base64`);
  }
  return { id, key: createSecretKey(bytes) };
}
