import type { Shape } from './column-shape.js';
import { columnTypes } from './column-types.js';

/** Characters of a value that are shown. */
const LONGEST_SHOWN = 64;

/** Such as `"31/02/2024" is not a date (dd/MM/yyyy)`. */
export function describeMisfit(value: string, shape: Shape): string {
  // By characters, not by halves of them.
  const shown = [...value.slice(0, 2 * LONGEST_SHOWN)].slice(0, LONGEST_SHOWN).join('');
  return `${JSON.stringify(shown)} is not ${columnTypes[shape.type].describe(shape)}`;
}
