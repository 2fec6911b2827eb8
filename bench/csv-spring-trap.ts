import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CsvSystem, Kind, TypedValue } from './csv-answer.js';
import { sameText } from './csv-same-text.js';
import { TRAPS, type Trap } from './csv-traps.js';

/**
 * `right` is what the trap wants; `kept` leaves the texts alone, which loses nothing; `refused` is a fault that somebody sees; `wrong` has
 * changed a value, and nobody is told.
 */
export type Outcome = 'right' | 'kept' | 'refused' | 'wrong';

export interface Sprung {
  readonly trap: string;
  readonly outcome: Outcome;
  /** The first value that was changed, and what it became. */
  readonly change?: readonly [from: string, to: string];
}

/** What a system makes of a table of row numbers and the values of the trap. */
export async function springTrap(system: CsvSystem, trap: Trap, folder: string): Promise<Sprung> {
  const path = join(folder, `trap-${TRAPS.indexOf(trap)}.csv`);
  const fields = trap.values.map((value) => (value.includes(',') ? `"${value}"` : value));
  await writeFile(path, `row,value\n${fields.map((field, i) => `${i + 1},${field}\n`).join('')}`);
  try {
    const { kinds } = await system.sniff(path);
    const rows = await system.readTyped(path);
    return { trap: trap.name, ...judgeColumn(trap, rows.slice(-trap.values.length), kinds[1]) };
  } catch {
    return { trap: trap.name, outcome: 'refused' };
  }
}

function judgeColumn(
  { values, reading }: Trap,
  rows: readonly (readonly TypedValue[])[],
  kind: Kind | undefined,
): Omit<Sprung, 'trap'> {
  if (rows.some((row) => row.length === 1)) return { outcome: 'kept' }; // cut into one column: a fault of the dialect, no value is changed
  for (const [i, value] of values.entries()) {
    const typed = rows[i]?.[1] ?? null;
    const meant = reading?.values[i];
    if (!isFaithful(value, meant, typed, reading?.kind))
      return { outcome: 'wrong', change: [value, typed?.text ?? 'null'] };
  }
  return { outcome: (kind === 'text') === (reading === undefined) ? 'right' : 'kept' };
}

function isFaithful(
  value: string,
  meant: string | null | undefined,
  typed: TypedValue,
  kind: Kind | undefined,
): boolean {
  if (typed === null) return meant === null;
  if (typed.kind === 'text') return typed.text === value;
  return typeof meant === 'string' && kind !== undefined && sameText(meant, typed.text, kind);
}
