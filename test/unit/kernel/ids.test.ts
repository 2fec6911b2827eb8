import { Kind } from 'graphql';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../bench/support/seeded-random.js';
import { AppError } from '../../../src/kernel/errors.js';
import {
  Base62Id,
  decodeId,
  encodeId,
  IdColumn,
  newId,
  randomDigits,
  SYSTEM_USER_ID,
} from '../../../src/kernel/ids.js';
import { seed } from '../../support/catalog/definition-builders.js';
import { atScale } from '../../support/soak.js';

const TIMES = atScale(10_000, 100_000);
const VARIANT = ['8', '9', 'a', 'b'];
const DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

const random = seededRandom(seed);

describe('an id', () => {
  it(`has 22 characters and decodes to its UUID, ${TIMES} times`, () => {
    const wrong = times(TIMES, aUuid).filter((uuid) => {
      const id = encodeId(uuid);
      return id.length !== 22 || decodeId(id) !== uuid;
    });
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  });

  it.each([
    ['00000000-0000-4000-8000-000000000000', '000000001VgEh72lXvTXkG'],
    ['3f2b8c1e-9d4a-4f6b-8a7c-1e5d2c3b4a69', '1vCPtzKGbbna6eeENJctez'],
    ['ffffffff-ffff-4fff-bfff-ffffffffffff', '7n42DGM5PW9UTFKxP3NWYh'],
  ])('of %s is %s', (uuid, id) => {
    expect([encodeId(uuid), decodeId(id)]).toEqual([id, uuid]);
  });

  it('is the UUID as a number in base 62', () => {
    const wrong = times(5_000, aUuid).filter((uuid) => encodeId(uuid) !== toBase62(numberOf(uuid)));
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  });

  it('has one canonical form: every string that decodes is the encoding of its UUID', () => {
    const wrong = times(50_000, () => text(22, DIGITS)).filter((id) => {
      const uuid = decodeId(id);
      return uuid !== undefined && encodeId(uuid) !== id;
    });
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  });

  it.each<[string, (id: string, uuid: string) => string]>([
    ['is too short', (id) => id.slice(0, below(22))],
    ['is too long', (id) => id + text(1 + below(8), DIGITS)],
    ['has an additional leading zero', (id) => `0${id}`],
    ['lacks its leading zeros', (_, uuid) => encodeId(`00000000${uuid.slice(8)}`).replace(/^0+/, '')],
    ['has a character of another alphabet', (id) => put(id, one([...'-_+/=. \t\n\0%@[`{~:;<']))],
    ['has a character beyond ASCII', (id) => put(id, String.fromCharCode(128 + below(0xff80)))],
    ['has a character that differs from a digit only in its upper bits', (id) => put(id, high(one(DIGITS)))],
    [
      'is a number of more than 128 bits with the same lower bits',
      (_, uuid) => toBase62(numberOf(uuid) + (1n << 128n) * aFactor()),
    ],
    ['is of another version', (_, uuid) => toBase62(numberOf(put(uuid, one([...'012356789abcdef']), 14)))],
    ['is of another variant', (_, uuid) => toBase62(numberOf(put(uuid, one([...'01234567cdef']), 19)))],
    ['is the UUID itself', (_, uuid) => uuid],
  ])('is rejected if it %s', (_, spoil) => {
    const accepted = times(2_000, aUuid)
      .map((uuid) => spoil(encodeId(uuid), uuid))
      .filter((id) => decodeId(id) !== undefined);
    expect({ seed, accepted }).toEqual({ seed, accepted: [] });
  });

  it('is canonical and unique when new', () => {
    const ids = times(10_000, newId);
    expect(ids.every((id) => encodeId(decodeId(id) as string) === id)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the system user', () => {
  it('has a canonical id', () => {
    expect(decodeId(SYSTEM_USER_ID)).toBe('00000000-0000-4000-8000-000000000000');
  });
});

describe('randomDigits', () => {
  it('returns the requested number of base62 digits, with every digit in every position', () => {
    const drawn = times(20_000, () => randomDigits(8));
    expect(drawn.every((digits) => /^[0-9A-Za-z]{8}$/.test(digits))).toBe(true);
    for (const place of [0, 7]) expect(new Set(drawn.map((digits) => digits[place])).size).toBe(62);
  });
});

describe('IdColumn', () => {
  const column = new IdColumn();

  it('converts an id to a UUID', () => {
    const uuid = aUuid();
    expect(column.convertToJSValue(column.convertToDatabaseValue(encodeId(uuid)))).toBe(encodeId(uuid));
  });

  it('throws for an invalid id', () => {
    expect(() => column.convertToDatabaseValue('none')).toThrow('not a canonical id');
  });
});

describe('Base62Id', () => {
  it('accepts an id in a variable and as a literal', () => {
    const id = newId();
    expect(Base62Id.parseValue(id)).toBe(id);
    expect(Base62Id.parseLiteral({ kind: Kind.STRING, value: id }, undefined)).toBe(id);
  });

  it.each<[string, unknown]>([
    ['another text', 'secret'],
    ['a number', 22],
    ['nothing', null],
    ['a list', [newId()]],
  ])('rejects %s without repeating it', (_, value) => {
    const sentence = new AppError(
      'BAD_REQUEST',
      'An id must be 22 characters of 0-9, A-Z and a-z (a UUID v4 in base62).',
    );
    expect(() => Base62Id.parseValue(value)).toThrow(sentence);
    expect(() => Base62Id.parseLiteral({ kind: Kind.INT, value: String(value) }, undefined)).toThrow(sentence);
  });
});

function times<Value>(count: number, make: () => Value): Value[] {
  return Array.from({ length: count }, make);
}

function below(limit: number): number {
  return Math.floor(random() * limit);
}

function one<Value>(values: readonly Value[]): Value {
  return values[below(values.length)] as Value;
}

function text(length: number, alphabet: readonly string[]): string {
  return times(length, () => one(alphabet)).join('');
}

function aUuid(): string {
  const hex = times(4, () =>
    below(2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, one(VARIANT) + hex.slice(17, 20)];
  return [...parts, hex.slice(20)].join('-');
}

function numberOf(uuid: string): bigint {
  return BigInt(`0x${uuid.replaceAll('-', '')}`);
}

/** Reference implementation: returns the number in base 62 with 22 digits. */
function toBase62(number: bigint): string {
  let digits = '';
  for (let rest = number; rest > 0n; rest /= 62n) digits = DIGITS[Number(rest % 62n)] + digits;
  return digits.padStart(22, '0');
}

/** Returns a number n from 1 to 6. A UUID plus n × 2^128 has at most 22 digits in base 62. */
function aFactor(): bigint {
  return 1n + BigInt(below(6));
}

function put(value: string, character: string, at = below(value.length)): string {
  return value.slice(0, at) + character + value.slice(at + 1);
}

function high(digit: string): string {
  return String.fromCharCode(digit.charCodeAt(0) + 128 * (1 + below(400)));
}
