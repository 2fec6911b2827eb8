import type { ColumnFormat } from '../formats/column-format.js';
import { columnTypes } from './column-types.js';

const MAX_SHOWN_CHARACTERS = 64;

/** Describes a mismatch, such as `"31/02/2024" is not a date (dd/MM/yyyy)`. */
export function describeTypeMismatch(value: string, format: ColumnFormat): string {
  // Truncates by code points, because a cut inside a surrogate pair would make the text invalid.
  const shown = [...value.slice(0, 2 * MAX_SHOWN_CHARACTERS)].slice(0, MAX_SHOWN_CHARACTERS).join('');
  return `${JSON.stringify(shown)} is not ${columnTypes[format.type].describe(format)}`;
}

export function describeRejectedText(text: string, format: ColumnFormat): string {
  const value = text.trim();
  return value === '' ? 'the value is missing' : describeTypeMismatch(value, format);
}
