import { cellTypeOf } from '../header/cell-type.js';

/** Longer strings are usually URLs or paths, and their first characters are sufficient to recognize them. */
const MAX_INSPECTED_CHARACTERS = 100;

const SINGLE_VALUES = [
  // URL or Windows path.
  /^([a-z][a-z0-9+.-]{0,20}:\/\/|(mailto|tel|urn):|[a-z]:[\\/])\S/i,
  // Email address.
  /^[^\s@]{1,64}@[^\s@]{1,64}$/,
  // Phone number with country code.
  /^\+\d[\d ()/.-]*$/,
  // MAC address. IPv6 address, complete or with `::`.
  /^[\da-f]{2}([:-][\da-f]{2}){5}$/i,
  /^([\da-f]{1,4}:){7}[\da-f]{1,4}$/i,
  /^(?=.{0,39}::)[\da-f:]{2,39}$/i,
];

/** Returns whether a string is a single value, such as a number with a unit, a time or an address. */
export function isSingleValue(text: string): boolean {
  const kind = cellTypeOf(text);
  if (kind === 'number' || kind === 'time') return true;
  const beginning = text.slice(0, MAX_INSPECTED_CHARACTERS).trim();
  return SINGLE_VALUES.some((pattern) => pattern.test(beginning));
}
