import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonTextError, parseLosslessJson, rawNumberOf } from '../../../src/syncs/responses/parse-lossless-json.js';

const DIGITS = [
  '9007199254740993',
  '-9223372036854775808',
  '123456789012345678901234567890',
  '0.12345678901234567890123',
  '1e400',
  '1E-400',
  '3.14159265358979323846e10',
];

describe('parseLosslessJson', () => {
  it.each(DIGITS)('prints all digits of %s', (digits) => {
    const parsed = parseLosslessJson(`{"id":${digits}}`) as { id: unknown };
    expect(JSON.stringify({ ...parsed })).toBe(`{"id":${digits}}`);
    expect(rawNumberOf(parsed.id)).toBe(digits);
  });

  it.each(['1', '-1.5', '1.10', '9007199254740992', '1e21', '12345678901234567890e-5', '0.1'])(
    'reads %s as a number if a double prints the same digits',
    (digits) => {
      const value = parseLosslessJson(digits);
      if (digits === '12345678901234567890e-5') expect(rawNumberOf(value)).toBe(digits);
      else expect(value).toBe(Number(digits));
    },
  );

  it('prints all digits of numbers at any position', () => {
    const number = fc.oneof(
      fc.constantFrom(...DIGITS),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    );
    const space = fc.constantFrom('', ' ', '\n', '\t  ');
    const element = fc.tuple(
      fc.oneof(
        number,
        fc.string().map((text) => JSON.stringify(text)),
      ),
      space,
    );
    const property = fc.property(fc.array(element), (elements) => {
      const text = `[${elements.map(([json, blanks]) => `${blanks}{"${'n'.repeat(json.length)}":${json}${blanks}}`).join()}]`;
      const parsed = parseLosslessJson(text) as Readonly<Record<string, unknown>>[];
      const numbers = elements.map(([json]) => (json.startsWith('"') ? json : JSON.stringify(exact(json))));
      expect(parsed.flatMap(Object.values).map((value) => JSON.stringify(value))).toEqual(numbers);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('ignores a byte order mark', () => {
    expect(parseLosslessJson('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it('reads __proto__ as an ordinary field', () => {
    const parsed = parseLosslessJson('{"__proto__":{"admin":true},"id":9007199254740993}') as Record<string, unknown>;
    expect(Object.keys(parsed)).toEqual(['__proto__', 'id']);
    expect(parsed.admin).toBeUndefined();
    expect(JSON.stringify({ ...parsed })).toBe('{"__proto__":{"admin":true},"id":9007199254740993}');
  });

  it('accepts 64 levels and rejects 65', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(() => parseLosslessJson(nested(64))).not.toThrow();
    expect(() => parseLosslessJson(nested(65))).toThrow('is nested more than 64 levels deep');
    expect(() => parseLosslessJson(`[${'['.repeat(1_000_000)}`)).toThrow(JsonTextError);
  });

  it('does not count brackets in strings', () => {
    const text = JSON.stringify({ a: `"\\${'['.repeat(100)}`, b: '\\' });
    expect(parseLosslessJson(text)).toEqual(JSON.parse(text));
  });

  it.each(['{"secret":', '', 'secret', '{"a":1}x'])('rejects invalid JSON without quoting it', (text) => {
    expect(() => parseLosslessJson(text)).toThrow(/^is not valid JSON$/);
  });
});

/** Returns a number, or a `JSON.rawJSON` object for digits that the conversion to a double would change. */
function exact(json: string): unknown {
  return DIGITS.includes(json) ? (JSON as unknown as { rawJSON(text: string): object }).rawJSON(json) : Number(json);
}
