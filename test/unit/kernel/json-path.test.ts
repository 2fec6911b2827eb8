import { describe, expect, it } from 'vitest';
import {
  compileJmesPath,
  evaluateJmesPath,
  JmesPathError,
  matchesJmesPath,
} from '../../../src/kernel/formats/jmespath.js';

describe('JMESPath', () => {
  it('finds what the expression names, and null where there is nothing', () => {
    expect(evaluateJmesPath('user.name', { user: { name: 'Ada' } })).toBe('Ada');
    expect(evaluateJmesPath('user.name', {})).toBeNull();
    expect(evaluateJmesPath('user.name', 'text')).toBeNull();
  });

  it('finds null where a function is given what it does not take', () => {
    expect(evaluateJmesPath("contains(message, 'rate limit')", { message: 5 })).toBeNull();
    expect(evaluateJmesPath("contains(message, 'rate limit')", {})).toBeNull();
  });

  it.each(['', 'a[', "error == 'x", 'a."b', 'a == `1', 'a b', 'nothing(a)', 'a || nothing(b)', '[?nothing(c)]'])(
    'refuses %j before anything is read by it',
    (expression) => expect(() => compileJmesPath(expression)).toThrow(JmesPathError),
  );

  it('takes quotes of every kind, and quotes inside of others', () => {
    expect(evaluateJmesPath(`"o:code" == 'it\\'s "ten"' || n == \`10\``, { 'o:code': `it's "ten"` })).toBe(true);
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
  ])('%j holds: %j', (value, expected) => expect(matchesJmesPath('a', { a: value })).toBe(expected));
});
