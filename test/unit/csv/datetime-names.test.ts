import { describe, expect, it } from 'vitest';
import { compileDatetimeFormat } from '../../../src/csv/formats/datetime-format.js';
import { DATETIME_LANGUAGES } from '../../../src/csv/formats/datetime-names.js';

type Part = 'month' | 'weekday';

/** Returns the name of a month or weekday in CLDR, the source of `Intl`, without a final period or `-feira`. */
function nameIn(language: string, part: Part, length: 'long' | 'short', date: Date): string {
  const options = { ...(part === 'month' && { day: 'numeric' as const }), [part]: length, timeZone: 'UTC' };
  const parts = new Intl.DateTimeFormat(language, options).formatToParts(date);
  return parts.find(({ type }) => type === part)?.value.replace(/\.$|-feira$/, '') ?? '';
}

/** `WEEK`: the first seven days of 2024, starting on a Monday. `MONTHS`: the third day of each month. */
const WEEK = Array.from({ length: 7 }, (_, at) => new Date(Date.UTC(2024, 0, 1 + at)));
const MONTHS = Array.from({ length: 12 }, (_, at) => new Date(Date.UTC(2024, at, 3)));
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

describe('names of months and weekdays', () => {
  it.each([...DATETIME_LANGUAGES.keys()])('are the names of CLDR: %s', (language) => {
    const read = (format: string, text: string) => compileDatetimeFormat(format, language)?.read(text);
    for (const [format, length] of [
      ['MMMM', 'long'],
      ['MMM', 'short'],
    ] as const)
      for (const date of MONTHS) {
        const name = nameIn(language, 'month', length, date);
        if (/^\d/.test(name)) continue; // In Czech, the short names are numbers.
        expect([name, read(`d ${format} yyyy`, `3 ${name} 2024`)]).toEqual([name, dayOf(date)]);
      }
    for (const [format, length] of [
      ['EEEE', 'long'],
      ['EEE', 'short'],
    ] as const)
      for (const date of WEEK) {
        const name = nameIn(language, 'weekday', length, date);
        expect([name, read(`${format} yyyy-MM-dd`, `${name} ${dayOf(date)}`)]).toEqual([name, dayOf(date)]);
      }
  });
});
