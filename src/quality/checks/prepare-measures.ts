import type { QualityCheck } from '../contracts/quality-check.js';
import type { ContractRule } from '../contracts/table-contract.js';
import type { RunMeasures } from '../results/run-measures.js';
import type { CheckContext } from './check-context.js';
import { CheckError } from './check-error.js';
import type { InspectedColumn } from './inspected-columns.js';
import type { DeferredNumber } from './row-aggregates.js';

/** Asks the rows for what the rules of the next run are compared with. */
export function prepareMeasures(sight: CheckContext, rules: readonly ContractRule[]): () => RunMeasures {
  const { aggregates, rows } = sight;
  const distinct = prepareByColumn(sight, rules, 'distinct_drop', (column) => aggregates.approximateDistinct(column));
  const highest = prepareByColumn(sight, rules, 'cursor_monotonic', (column) => aggregates.maxValue(column));
  return () => ({
    rows: rows.rows,
    ...measuresByColumn('distinct', distinct),
    ...measuresByColumn('highest', highest),
  });
}

function prepareByColumn(
  { columns }: CheckContext,
  rules: readonly ContractRule[],
  type: QualityCheck,
  ask: (column: InspectedColumn) => DeferredNumber,
): [string, DeferredNumber][] {
  return rules.flatMap(({ type: found, column: name }) => {
    const column = found === type && name !== undefined ? columns.find(name) : undefined;
    const answer = column && orUndefined(() => ask(column));
    return column && answer ? [[column.field.name, answer] as [string, DeferredNumber]] : [];
  });
}

/** The rule itself says what is wrong with it. */
function orUndefined(ask: () => DeferredNumber): DeferredNumber | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof CheckError) return undefined;
    throw error;
  }
}

function measuresByColumn<Name extends string>(name: Name, answers: readonly [string, DeferredNumber][]) {
  const found = answers.flatMap(([column, answer]) => {
    const value = answer();
    return value === undefined ? [] : [[column, value] as const];
  });
  return found.length === 0 ? {} : ({ [name]: Object.fromEntries(found) } as Record<Name, Record<string, number>>);
}
