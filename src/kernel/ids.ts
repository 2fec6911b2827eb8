import { randomUUID } from 'node:crypto';
import { Type } from '@mikro-orm/core';
import { GraphQLScalarType, Kind } from 'graphql';
import { BASE62 } from './base62.js';
import { AppError } from './errors.js';

/**
 * Identifiers are UUID v4 in the database. Everywhere else, the same 128-bit number is in base62: 22 digits
 * `0-9A-Za-z`, left-padded with `0`. The service accepts only this form, so two different strings never identify the
 * same object.
 */
const LENGTH = 22;

const digitOf = new Int8Array(128).fill(-1);
for (let digit = 0; digit < BASE62.length; digit++) digitOf[BASE62.charCodeAt(digit)] = digit;

// Each lookup converts two characters, and each division converts four. The dividends have at most 48 bits, so
// floating-point division is exact.
const PAIRS = Array.from({ length: 62 * 62 }, (_, pair) => `${BASE62[Math.floor(pair / 62)]}${BASE62[pair % 62]}`);
const DIGITS_OF_CHUNK = 4;
const CHUNK = 62 ** DIGITS_OF_CHUNK;
const LIMB = 2 ** 24;

const nibbleOf = new Uint8Array(128);
for (let nibble = 0; nibble < 16; nibble++) nibbleOf[nibble.toString(16).charCodeAt(0)] = nibble;
/** Positions of the 32 hexadecimal digits in a UUID. */
const DIGITS = Uint8Array.from(
  [...'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'].flatMap((sign, at) => (sign === 'x' ? [at] : [])),
);
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The first limb has 8 bits, the other five have 24. */
const limbs = new Float64Array(6);

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Most requests return ids of the catalog. A lookup takes a fifth of the time that the encoding takes. */
const encodedIds = new Map<string, string>();
const MAX_ENCODED_IDS = 20_000;

/** Consecutive rows often refer to the same object. */
let lastUuid = '';
let lastId = '';

/** `uuid` has 36 characters, in lower case. */
export function encodeId(uuid: string): string {
  if (uuid === lastUuid) return lastId;
  let id = encodedIds.get(uuid);
  if (id === undefined) {
    if (encodedIds.size >= MAX_ENCODED_IDS) encodedIds.clear();
    id = convertToBase62(uuid);
    encodedIds.set(uuid, id);
  }
  lastUuid = uuid;
  lastId = id;
  return id;
}

function convertToBase62(uuid: string): string {
  for (let limb = 0, at = 0; limb < 6; limb++) {
    let value = 0;
    for (const end = 2 + limb * 6; at < end; at++)
      value = value * 16 + (nibbleOf[uuid.charCodeAt(DIGITS[at] as number)] as number);
    limbs[limb] = value;
  }
  let text = '';
  for (let first = 0; text.length < 20; ) {
    let rest = 0;
    for (let limb = first; limb < 6; limb++) {
      const value = rest * LIMB + (limbs[limb] as number);
      const quotient = Math.floor(value / CHUNK);
      limbs[limb] = quotient;
      rest = value - quotient * CHUNK;
    }
    while (first < 4 && limbs[first] === 0) first++;
    const high = Math.floor(rest / PAIRS.length);
    text = (PAIRS[high] as string) + PAIRS[rest - high * PAIRS.length] + text;
  }
  return PAIRS[limbs[5] as number] + text;
}

/** Returns undefined if the text is not the canonical form of a UUID v4. */
export function decodeId(id: string): string | undefined {
  if (id.length !== LENGTH) return undefined;
  limbs.fill(0);
  for (let at = LENGTH % DIGITS_OF_CHUNK, from = 0; at <= LENGTH; from = at, at += DIGITS_OF_CHUNK) {
    let carry = numberIn(id, from, at);
    if (carry < 0) return undefined;
    for (let limb = 5; limb >= 0; limb--) {
      const value = (limbs[limb] as number) * CHUNK + carry;
      carry = Math.floor(value / LIMB);
      limbs[limb] = value - carry * LIMB;
    }
    if ((limbs[0] as number) > 0xff) return undefined; // The value has more than 128 bits.
  }
  return isVersion4() ? spellUuid() : undefined;
}

/** Checks the version and variant bits (RFC 9562, section 5.4). */
function isVersion4(): boolean {
  return (byteAt(6) & 0xf0) === 0x40 && (byteAt(8) & 0xc0) === 0x80;
}

function spellUuid(): string {
  let uuid = '';
  for (let byte = 0; byte < 16; byte++) {
    if (byte === 4 || byte === 6 || byte === 8 || byte === 10) uuid += '-';
    uuid += BYTES[byteAt(byte)];
  }
  return uuid;
}

/** Index 0 is the most significant of the 16 bytes of `limbs`. */
function byteAt(index: number): number {
  const limb = Math.floor((index + 2) / 3);
  return ((limbs[limb] as number) >> (8 * (limb * 3 - index))) & 0xff;
}

/** Returns the value of up to four digits, or a negative number if a character is not a digit. */
function numberIn(id: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = digitOf[id.charCodeAt(at)] ?? -1;
    if (digit < 0) return -1;
    value = value * 62 + digit;
  }
  return value;
}

export function newId(): string {
  return encodeId(randomUUID());
}

/** Returns random base62 digits, for example for the slug of a connector. They are not secure enough for a secret. */
export function randomDigits(length: number): string {
  return newId().slice(-length);
}

/** `createdBy` and `updatedBy` of rows that the service itself writes. */
export const SYSTEM_USER_ID = encodeId('00000000-0000-4000-8000-000000000000');

export class IdColumn extends Type<string | null, string | null> {
  override convertToDatabaseValue(id: string | null): string | null {
    if (id === null) return null;
    // MikroORM converts conditions more than once, so the value may already be a UUID.
    const uuid = decodeId(id) ?? (UUID_V4.test(id) ? id : undefined);
    if (!uuid) throw new TypeError('not a canonical id');
    return uuid;
  }

  override convertToJSValue(uuid: string | null): string | null {
    return uuid === null ? null : encodeId(uuid);
  }

  override getColumnType(): string {
    return 'uuid';
  }
}

function parseId(value: unknown): string {
  if (typeof value === 'string' && decodeId(value)) return value;
  throw new AppError('BAD_REQUEST', 'An id must be 22 characters of 0-9, A-Z and a-z (a UUID v4 in base62).');
}

export const Base62Id = new GraphQLScalarType<string, string>({
  name: 'Base62Id',
  description:
    'A UUID v4 (RFC 9562) as a number in base62: digits `0-9A-Za-z` in this order, always 22 characters, left-padded with `0`. The service rejects any other form.',
  specifiedByURL: '/graphql/scalars/Base62Id',
  serialize: (value) => value as string,
  parseValue: parseId,
  parseLiteral: (node) => parseId(node.kind === Kind.STRING ? node.value : undefined),
  extensions: { jsonSchema: { type: 'string', pattern: '^[0-9A-Za-z]{22}$', example: '2vMb1qUYpXl5LQ4Q8mB808' } },
});
