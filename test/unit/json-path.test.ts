import { describe, expect, it } from '@jest/globals';
import { compilePath, holds, JsonPathError, search } from '../../src/kernel/json-path.js';

describe('JMESPath', () => {
  it('finds what the expression names, and null where there is nothing', () => {
    expect(search('user.name', { user: { name: 'Ada' } })).toBe('Ada');
    expect(search('user.name', {})).toBeNull();
    expect(search('user.name', 'text')).toBeNull();
  });

  it('finds null where a function is given what it does not take', () => {
    expect(search("contains(message, 'rate limit')", { message: 5 })).toBeNull();
    expect(search("contains(message, 'rate limit')", {})).toBeNull();
  });

  it.each(['', 'a[', "error == 'x", 'a."b', 'a == `1', 'a b', 'nothing(a)', 'a || nothing(b)', '[?nothing(c)]'])(
    'refuses %j before anything is read by it',
    (expression) => expect(() => compilePath(expression)).toThrow(JsonPathError),
  );

  it('takes quotes of every kind, and quotes inside of others', () => {
    expect(search(`"o:code" == 'it\\'s "ten"' || n == \`10\``, { 'o:code': `it's "ten"` })).toBe(true);
  });

  it.each([
    [null, false],
    [false, false],
    ['', false],
    [[], false],
    [{}, false],
    [0, true],
    [true, true],
    ['no', true],
    [[null], true],
    [{ a: null }, true],
  ])('%j holds: %j', (value, expected) => expect(holds('a', { a: value })).toBe(expected));
});
