import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../../src/tables/queries/parse-exact-json.js';

describe('parseExactJson', () => {
  it.each(['0', '-1', '9007199254740991', '1.10', '0.1', '1.5e-7', '100e-2', '1E+20', '-0.0', '5e-324', '"9.90"'])(
    'parses like JSON.parse: %s',
    (text) => expect(parseExactJson(text)).toBe(JSON.parse(text)),
  );

  it.each(['9007199254740993', '-12345678901234567890', '0.1000000000000000055', '1e400', '1e-400', '1.5e99999999999'])(
    'keeps the digits of numbers that a double cannot represent: %s',
    (text) => {
      expect(parseExactJson(text)).toBe(text);
      expect(parseExactJson(`{"a": [1, ${text}]}`)).toEqual({ a: [1, text] });
    },
  );

  it('keeps the names of object members', () => {
    const text = '{"__proto__":1,"constructor":[2]}';
    expect(JSON.stringify(parseExactJson(text))).toBe(text);
  });
});
