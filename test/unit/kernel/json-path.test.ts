import { describe, expect, it } from 'vitest';
import {
  compileJmesPath,
  evaluateJmesPath,
  JmesPathError,
  matchesJmesPath,
} from '../../../src/kernel/formats/jmespath.js';

describe('JMESPath', () => {
  it('returns the value of the expression, or null if nothing matches', () => {
    expect(evaluateJmesPath('user.name', { user: { name: 'Ada' } })).toBe('Ada');
    expect(evaluateJmesPath('user.name', {})).toBeNull();
    expect(evaluateJmesPath('user.name', 'text')).toBeNull();
  });

  it('returns null for a function argument of the wrong type', () => {
    expect(evaluateJmesPath("contains(message, 'rate limit')", { message: 5 })).toBeNull();
    expect(evaluateJmesPath("contains(message, 'rate limit')", {})).toBeNull();
  });

  it.each(['', 'a[', "error == 'x", 'a."b', 'a == `1', 'a b', 'nothing(a)', 'a || nothing(b)', '[?nothing(c)]'])(
    'rejects %j at compilation',
    (expression) => expect(() => compileJmesPath(expression)).toThrow(JmesPathError),
  );

  it('accepts all kinds of quotes, including nested quotes', () => {
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
