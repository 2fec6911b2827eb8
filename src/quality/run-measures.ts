import { CheckFault } from './check-fault.js';
import type { InspectedColumn } from './inspected-columns.js';
import type { RunMeasures } from './measures.js';
import type { QualityCheck } from './quality-check.js';
import type { Answer } from './row-aggregates.js';
import type { RunSight } from './run-sight.js';
import type { ContractRule } from './table-contract.js';

/** Asks the rows for what the rules of the next run are compared with. */
export function readyMeasures(sight: RunSight, rules: readonly ContractRule[]): () => RunMeasures {
  const { aggregates, rows } = sight;
  const distinct = measured(sight, rules, 'distinct_drop', (column) => aggregates.distinct(column));
  const highest = measured(sight, rules, 'cursor_monotonic', (column) => aggregates.highest(column));
  return () => ({ rows: rows.rows, ...named('distinct', distinct), ...named('highest', highest) });
}

function measured(
  { columns }: RunSight,
  rules: readonly ContractRule[],
  type: QualityCheck,
  ask: (column: InspectedColumn) => Answer,
): [string, Answer][] {
  return rules.flatMap(({ type: found, column: name }) => {
    const column = found === type && name !== undefined ? columns.find(name) : undefined;
    const answer = column && askOrLeave(() => ask(column));
    return column && answer ? [[column.field.name, answer] as [string, Answer]] : [];
  });
}

/** The rule itself says what is wrong with it. */
function askOrLeave(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof CheckFault) return undefined;
    throw error;
  }
}

function named<Name extends string>(name: Name, answers: readonly [string, Answer][]) {
  const found = answers.flatMap(([column, answer]) => {
    const value = answer();
    return value === undefined ? [] : [[column, value] as const];
  });
  return found.length === 0 ? {} : ({ [name]: Object.fromEntries(found) } as Record<Name, Record<string, number>>);
}
