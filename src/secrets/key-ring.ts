import { createSecretKey, type KeyObject } from 'node:crypto';

/** A key of the ring, by the id that stands beside everything it wraps. */
interface RingKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** Length of every key, in bytes: AES-256. */
export const KEY_BYTES = 32;

const KEY_ID = /^[A-Za-z0-9._-]{1,32}$/;

/** What is wrong with the text of a key ring. Says which entry it is, and never quotes it. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';
}

/** Something was wrapped by a key that the ring does not hold: for the log, where it tells the operator what to put back. */
export class SealingKeyMissing extends Error {
  override readonly name = 'SealingKeyMissing';

  constructor(readonly keyId: string) {
    super(`The sealing key ${KEY_ID.test(keyId) ? keyId : '(no key id)'} is not in the key ring; put it back.`);
  }
}

/** The keys that wrap the data keys of the workspaces. The newest wraps, all of them open. */
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
 * Reads `id:key` entries, newest first, with commas or white space between them; a key is 32 bytes in base64 (RFC 4648,
 * section 4). Throws `KeyRingError`, its message a predicate.
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  const keys = entries.map((entry, at) => parseEntry(entry, at + 1));
  const [newest, ...older] = keys;
  if (!newest) throw new KeyRingError('must have at least one entry such as id:key, the key 32 bytes in base64');
  keys.forEach(({ id, key }, at) => {
    const earlier = keys.slice(0, at);
    if (earlier.some((other) => other.id === id)) throw new KeyRingError(`has the id of entry ${at + 1} twice`);
    if (earlier.some((other) => other.key.equals(key))) throw new KeyRingError(`has the key of entry ${at + 1} twice`);
  });
  return new KeyRing([newest, ...older]);
}

function parseEntry(entry: string, number: number): RingKey {
  const at = entry.indexOf(':');
  const [id, encoded] = [entry.slice(0, Math.max(at, 0)), entry.slice(at + 1)];
  if (!KEY_ID.test(id)) {
    throw new KeyRingError(`must have in entry ${number} an id of 1 to 32 letters, digits, dots, - or _, then a colon`);
  }
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== encoded) {
    throw new KeyRingError(`must have in entry ${number} a key of exactly 32 bytes in base64`);
  }
  return { id, key: createSecretKey(bytes) };
}
