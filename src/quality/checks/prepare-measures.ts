import type { QualityCheck } from '../contracts/quality-check.js';
import type { ContractRule } from '../contracts/table-contract.js';
import type { RunMeasures } from '../results/run-measures.js';
import type { CheckContext } from './check-context.js';
import { CheckError } from './check-error.js';
import type { InspectedColumn } from './inspected-columns.js';
import type { DeferredNumber } from './row-aggregates.js';

/** Requests the measures of this run. The service later compares them with the measures of the next run. */
export function prepareMeasures(context: CheckContext, rules: readonly ContractRule[]): () => RunMeasures {
  const { aggregates, rows } = context;
  const distinct = prepareByColumn(context, rules, 'distinct_drop', (column) => aggregates.approximateDistinct(column));
  const highest = prepareByColumn(context, rules, 'cursor_monotonic', (column) => aggregates.maxValue(column));
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
  request: (column: InspectedColumn) => DeferredNumber,
): [string, DeferredNumber][] {
  return rules.flatMap((rule) => {
    const column = rule.type === type && rule.column !== undefined ? columns.find(rule.column) : undefined;
    const value = column && orUndefined(() => request(column));
    return column && value ? [[column.field.name, value] as [string, DeferredNumber]] : [];
  });
}

/** Ignores a `CheckError`, because the check of the rule reports the same error. */
function orUndefined(request: () => DeferredNumber): DeferredNumber | undefined {
  try {
    return request();
  } catch (error) {
    if (error instanceof CheckError) return undefined;
    throw error;
  }
}

function measuresByColumn<Name extends string>(name: Name, deferred: readonly [string, DeferredNumber][]) {
  const found = deferred.flatMap(([column, read]) => {
    const value = read();
    return value === undefined ? [] : [[column, value] as const];
  });
  return found.length === 0 ? {} : ({ [name]: Object.fromEntries(found) } as Record<Name, Record<string, number>>);
}
