import { DATETIME_LANGUAGES, ENGLISH, type NameList } from './datetime-names.js';

/** Distinct names in a column, in lower case. */
export interface DateNames {
  readonly months: Set<string>;
  readonly weekdays: Set<string>;
}

const MAX_ABBREVIATION_CHARACTERS = 3;

interface NamedFields {
  /** Language (ISO 639-1). Undefined for English. */
  readonly language: string | undefined;
  readonly month: 'MMM' | 'MMMM';
  readonly weekday: 'EEE' | 'EEEE';
}

/** Returns the language that contains the most names of the column, and whether the names are full or abbreviated. */
export function findDatetimeLanguage({ months, weekdays }: DateNames): NamedFields {
  let best: NamedFields = { language: undefined, month: 'MMM', weekday: 'EEE' };
  let most = -1;
  for (const [language, lists] of DATETIME_LANGUAGES) {
    const month = countKnown(months, lists.months);
    const weekday = countKnown(weekdays, lists.weekdays);
    const known = Math.max(month.full, month.short) + Math.max(weekday.full, weekday.short);
    if (known <= most) continue;
    most = known;
    best = {
      language: language === ENGLISH ? undefined : language,
      month: isFull(month, months) ? 'MMMM' : 'MMM',
      weekday: isFull(weekday, weekdays) ? 'EEEE' : 'EEE',
    };
  }
  return best;
}

/** Some abbreviated months, such as the German `März`, are also full names. */
function isFull({ full, short }: { full: number; short: number }, names: ReadonlySet<string>): boolean {
  return full > short || (full === short && [...names].some((name) => name.length > MAX_ABBREVIATION_CHARACTERS));
}

function countKnown(names: ReadonlySet<string>, { full, short }: NameList): { full: number; short: number } {
  const countIn = (list: ReadonlyMap<string, number>) => [...names].filter((name) => list.has(name)).length;
  return { full: countIn(full), short: countIn(short) };
}
