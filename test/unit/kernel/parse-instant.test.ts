import { describe, expect, it } from 'vitest';
import { DateTime } from '../../../src/kernel/entities/scalars.js';
import { parseTimestamp } from '../../../src/kernel/formats/parse-timestamp.js';

describe('a time', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123Z'],
    ['2024-02-29T00:30:00+02:00', '2024-02-28T22:30:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('is parsed from %s', (text, time) => {
    expect(parseTimestamp(text)?.toISOString()).toBe(time);
    expect(DateTime.parseValue(text)).toEqual(new Date(time));
    expect(DateTime.parseValue(new Date(time))).toEqual(new Date(time));
  });

  it.each([
    ['a day that does not exist', '2026-02-30T00:00:00Z'],
    ['February 29 in a common year', '2025-02-29T00:00:00+02:00'],
    ['an hour that does not exist', '2026-01-31T24:00:00Z'],
    ['a leap second', '2026-12-31T23:59:60Z'],
    ['a date without time', '2026-01-31'],
    ['no zone', '2026-01-31T12:00:00'],
    ['a zone that does not exist', '2026-01-31T12:00:00+24:00'],
    ['no seconds', '2026-01-31T12:00Z'],
    ['words', 'January 5 2026'],
    ['a number', '5'],
    ['the year 0', '0000-01-01T00:00:00Z'],
    ['the year 0 in UTC', '0001-01-01T00:00:00+01:00'],
    ['a year of five digits', '+010000-01-01T00:00:00Z'],
    ['the year 10000 in UTC', '9999-12-31T23:59:59-01:00'],
    ['a negative year', '-271821-04-20T00:00:00Z'],
  ])('is not %s', (_, text) => {
    expect(parseTimestamp(text)).toBeUndefined();
    expect(() => DateTime.parseValue(text)).toThrow('ISO 8601');
  });

  it.each([1, true, null, {}])('is not %j', (value) => {
    expect(() => DateTime.parseValue(value)).toThrow('ISO 8601');
  });
});
