/** English names. The short names are the first three letters. */
export const MONTHS: readonly string[] = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

export const WEEKDAYS: readonly string[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
];

export const SHORT_NAME_CHARACTERS = 3;

export function shortNames(names: readonly string[]): string[] {
  return names.map((name) => name.slice(0, SHORT_NAME_CHARACTERS));
}
