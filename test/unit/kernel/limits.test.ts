import { describe, expect, it } from 'vitest';
import { checkLimits, Limits } from '../../../src/kernel/entities/field-limits.js';
import { AppError } from '../../../src/kernel/errors.js';

class Limited {
  @Limits({ minimum: 1, maximum: 250 })
  limit?: unknown;

  @Limits({ minLength: 2, maxLength: 4 })
  search?: unknown;

  @Limits({ pattern: '^[a-z]$' })
  letter?: unknown;

  @Limits({ pattern: '^.$' })
  character?: unknown;

  free?: unknown;
}

class LimitedMore extends Limited {
  @Limits({ minimum: 0 })
  offset?: unknown;
}

describe('limits', () => {
  it.each<Partial<LimitedMore>>([
    { limit: 1 },
    { limit: 250 },
    { offset: 0 },
    { search: 'ab' },
    { search: 'abcd' },
    { letter: 'a' },
    { limit: undefined },
    { limit: null },
    { free: 'x'.repeat(1_000_000) },
    {},
  ])('let %j pass', (values) => {
    expect(refusalOf(values)).toBeUndefined();
  });

  it.each<[Partial<LimitedMore>, string]>([
    [{ limit: 0 }, 'limit must be 1 or more.'],
    [{ limit: -7 }, 'limit must be 1 or more.'],
    [{ limit: 0.999 }, 'limit must be 1 or more.'],
    [{ limit: 251 }, 'limit must be 250 or less.'],
    [{ limit: Number.POSITIVE_INFINITY }, 'limit must be 250 or less.'],
    [{ search: '' }, 'search must have 2 or more characters.'],
    [{ search: 'a' }, 'search must have 2 or more characters.'],
    [{ search: 'abcde' }, 'search must have 4 or fewer characters.'],
    [{ letter: 'A' }, 'letter must match ^[a-z]$.'],
    [{ letter: 'a\n' }, 'letter must match ^[a-z]$.'],
    [{ offset: -1 }, 'offset must be 0 or more.'],
  ])('reject %j', (values, sentence) => {
    expect(refusalOf(values)).toEqual(new AppError('BAD_REQUEST', sentence));
    expect(refusalOf(values)).toHaveProperty('code', 'BAD_REQUEST');
  });

  it('count characters, not UTF-16 units', () => {
    expect(refusalOf({ search: '😀😀😀😀' })).toBeUndefined();
    expect(refusalOf({ search: '😀' })?.message).toBe('search must have 2 or more characters.');
    expect(refusalOf({ search: '😀😀😀😀😀' })?.message).toBe('search must have 4 or fewer characters.');
    expect(refusalOf({ character: '😀' })).toBeUndefined();
  });

  it('of a class apply to its subclasses', () => {
    expect(refusalOf({ limit: 0, offset: 0 })?.message).toBe('limit must be 1 or more.');
  });

  it('of a subclass do not apply to its superclass', () => {
    expect(() => checkLimits(Object.assign(new Limited(), { offset: -1 }))).not.toThrow();
  });

  it('never quote the value', () => {
    expect(refusalOf({ search: 'a secret' })?.message).not.toContain('secret');
    expect(refusalOf({ letter: 'a secret' })?.message).not.toContain('secret');
  });

  it.each([undefined, null, 'text', 0, {}, []])('ignore %j', (input) => {
    expect(() => checkLimits(input)).not.toThrow();
  });
});

function refusalOf(values: Partial<LimitedMore>): Error | undefined {
  try {
    checkLimits(Object.assign(new LimitedMore(), values));
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
