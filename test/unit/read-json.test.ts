import { describe, expect, it } from '@jest/globals';
import { readJson } from '../../src/tables/read-json.js';

describe('a JSON value of a table', () => {
  it.each(['0', '-1', '9007199254740991', '1.10', '0.1', '1.5e-7', '100e-2', '1E+20', '-0.0', '5e-324', '"9.90"'])(
    'is what it is to any reader of JSON: %s',
    (text) => expect(readJson(text)).toBe(JSON.parse(text)),
  );

  it.each(['9007199254740993', '-12345678901234567890', '0.1000000000000000055', '1e400', '1e-400', '1.5e99999999999'])(
    'keeps the digits of a number that a double does not hold: %s',
    (text) => {
      expect(readJson(text)).toBe(text);
      expect(readJson(`{"a": [1, ${text}]}`)).toEqual({ a: [1, text] });
    },
  );

  it('keeps names that objects have', () => {
    const text = '{"__proto__":1,"constructor":[2]}';
    expect(JSON.stringify(readJson(text))).toBe(text);
  });
});
