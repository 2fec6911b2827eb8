import { cellTypeOf } from '../header/cell-type.js';

/** What is longer is no single thing but an address, which is looked at by its beginning. */
const MAX_INSPECTED_CHARACTERS = 100;

/** Single values that hold characters which delimit elsewhere. */
const SINGLE_VALUES = [
  // An address with its scheme, or of a file on Windows.
  /^([a-z][a-z0-9+.-]{0,20}:\/\/|(mailto|tel|urn):|[a-z]:[\\/])\S/i,
  // A mail address.
  /^[^\s@]{1,64}@[^\s@]{1,64}$/,
  // A phone number with its country.
  /^\+\d[\d ()/.-]*$/,
  // A hardware address, and IPv6 in full or with its zeros left out.
  /^[\da-f]{2}([:-][\da-f]{2}){5}$/i,
  /^([\da-f]{1,4}:){7}[\da-f]{1,4}$/i,
  /^(?=.{0,39}::)[\da-f:]{2,39}$/i,
];

/** Whether a text is one value as it stands: a number with its unit, a time, an address. */
export function isSingleValue(text: string): boolean {
  const kind = cellTypeOf(text);
  if (kind === 'number' || kind === 'time') return true;
  const beginning = text.slice(0, MAX_INSPECTED_CHARACTERS).trim();
  return SINGLE_VALUES.some((pattern) => pattern.test(beginning));
}
