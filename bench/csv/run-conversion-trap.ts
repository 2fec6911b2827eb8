import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONVERSION_TRAPS, type ConversionTrap } from './conversion-traps.js';
import type { CsvSystem, TypedValue, ValueKind } from './csv-system.js';
import { isSameValue } from './same-value.js';

/**
 * Outcomes.
 * - `right`: the system converted the values correctly.
 * - `kept`: the strings are unchanged, so no data is lost.
 * - `refused`: the system reported an error.
 * - `wrong`: the system changed a value without an error.
 */
export type TrapOutcome = 'right' | 'kept' | 'refused' | 'wrong';

export interface TrapResult {
  readonly trap: string;
  readonly outcome: TrapOutcome;
  readonly change?: readonly [from: string, to: string];
}

export async function runConversionTrap(system: CsvSystem, trap: ConversionTrap, folder: string): Promise<TrapResult> {
  const path = join(folder, `trap-${CONVERSION_TRAPS.indexOf(trap)}.csv`);
  const { title = 'value', values, sibling } = trap;
  const lines = values.map((value, i) => [String(i + 1), value, ...(sibling ? [sibling[i] ?? ''] : [])]);
  const rows = [['row', title, ...(sibling ? ['other'] : [])], ...lines];
  const quoted = (value: string) => (value.includes(',') ? `"${value}"` : value);
  await writeFile(path, rows.map((row) => `${row.map(quoted).join(',')}\n`).join(''));
  try {
    const { kinds } = await system.sniff(path);
    const rows = await system.readTyped(path);
    return { trap: trap.name, ...classifyColumn(trap, rows.slice(-trap.values.length), kinds[1]) };
  } catch {
    return { trap: trap.name, outcome: 'refused' };
  }
}

function classifyColumn(
  { values, reading }: ConversionTrap,
  rows: readonly (readonly TypedValue[])[],
  kind: ValueKind | undefined,
): Omit<TrapResult, 'trap'> {
  // If the system reads the file as one column, the detected dialect is wrong, but no value has changed.
  if (rows.some((row) => row.length === 1)) return { outcome: 'kept' };
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
  kind: ValueKind | undefined,
): boolean {
  if (typed === null) return meant === null;
  if (typed.kind === 'text') return typed.text === value;
  return typeof meant === 'string' && kind !== undefined && isSameValue(meant, typed.text, kind);
}
