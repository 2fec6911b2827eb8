import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileDatetimeFormat } from '../../../src/csv/formats/datetime-format.js';

const number = (most: number, digits: number) =>
  fc.integer({ min: 0, max: most }).map((n) => `${n}`.padStart(digits, '0'));
const date = fc.tuple(number(10_001, 4), number(14, 2), number(33, 2)).map((parts) => parts.join('-'));
const time = fc.tuple(number(25, 2), number(61, 2), number(61, 2)).map((parts) => parts.join(':'));
const letter = fc.constantFrom('T', 't', ' ', '');
const fraction = fc.constantFrom('', '.', '.1', '.120', '.123', ',123', '.1234');
const offset = fc.constantFrom('', 'Z', 'z', '+00:00', '-15:59', '+16:00', '+0200');

/** Quotes around a hyphen do not change the format, but disable the fast test for canonical values. */
const FORMATS: readonly [format: string, hidden: string][] = [
  ['yyyy-MM-dd', "yyyy'-'MM-dd"],
  ["yyyy-MM-dd'T'HH:mm:ss", "yyyy'-'MM-dd'T'HH:mm:ss"],
  ["yyyy-MM-dd'T'HH:mm:ss.SSS", "yyyy'-'MM-dd'T'HH:mm:ss.SSS"],
  ["yyyy-MM-dd'T'HH:mm:ssXXX", "yyyy'-'MM-dd'T'HH:mm:ssXXX"],
  ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "yyyy'-'MM-dd'T'HH:mm:ss.SSSXXX"],
];

it.each(FORMATS)('%s reads the same values with and without the fast test', (format, hidden) => {
  const [glance, steps] = [compileDatetimeFormat(format), compileDatetimeFormat(hidden)];
  const value = fc.oneof(
    date,
    fc.tuple(date, letter, time, fraction, offset).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(value, (text) => {
      expect(glance?.read(text)).toBe(steps?.read(text));
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", '2024-02-28T23:59:59.120Z'],
  ['yyyy-MM-dd', '2024-02-29'],
])('%s returns %s unchanged', (format, text) => {
  expect(compileDatetimeFormat(format)?.read(text)).toBe(text);
});

it.each(['2023-02-29', '2023-00-01', '2023-01-00', '2023-13-01', '0000-01-01', '2024-1-01', '2024-01-01 '])(
  '%s is not a date',
  (text) => {
    expect(compileDatetimeFormat('yyyy-MM-dd')?.read(text)).toBeUndefined();
  },
);

it('reads abbreviations of time zones only with zzz', () => {
  const [utc, named] = ['z', 'zzz'].map((field) => compileDatetimeFormat(`yyyy-MM-dd HH:mm ${field}`));
  const read = (zone: string) => [utc, named].map((format) => format?.read(`2024-01-31 10:00 ${zone}`));
  expect(read('gmt')).toEqual(['2024-01-31T10:00:00Z', '2024-01-31T10:00:00Z']);
  expect(read('EST')).toEqual([undefined, '2024-01-31T10:00:00-05:00']);
  for (const zone of ['CST', 'ESTA', 'E', '']) expect(read(zone)).toEqual([undefined, undefined]);
});
