import type { SpcSeriesKind } from '../catalog/tap-quality-config.js';
import { ageOfNewest } from './age-of-newest.js';
import { CheckFault } from './check-fault.js';
import type { InspectedColumn } from './inspected-columns.js';
import { shareOf } from './planned-check.js';
import type { Answer } from './row-aggregates.js';
import type { RunSight } from './run-sight.js';
import { showsSensitive } from './sensitive-values.js';
import { seriesKeyOf } from './series-key.js';
import type { ContractSeries } from './table-contract.js';

type TableKind = Extract<SpcSeriesKind, `TABLE_${string}`>;
type ColumnKind = Exclude<SpcSeriesKind, TableKind>;

const TABLE_VALUES: Readonly<Record<TableKind, (sight: RunSight) => Answer>> = {
  TABLE_ROW_COUNT:
    ({ rows }) =>
    () =>
      rows.rows,
  TABLE_BYTES:
    ({ rows: { files } }) =>
    () =>
      files.reduce((sum, { bytes }) => sum + bytes, 0),
  TABLE_FRESHNESS_SECONDS: ageOfNewest,
};

const COLUMN_VALUES: Readonly<Record<ColumnKind, (sight: RunSight, column: InspectedColumn) => Answer>> = {
  COLUMN_NULL_RATE: (sight, column) => {
    const lacking = sight.lacking(column);
    return () => shareOf(lacking(), sight.rows.rows, 'rows').observed;
  },
  COLUMN_DISTINCT_COUNT: ({ aggregates }, column) => {
    const distinct = aggregates.distinct(column);
    return () => distinct() ?? 0;
  },
  COLUMN_MEAN: ({ aggregates }, column) => aggregates.mean(column),
};

/** Asks the rows for the points of series; by the keys of those that have one, once they were read. */
export function readySeries(sight: RunSight, series: readonly ContractSeries[]): () => Map<string, number> {
  const answers = series.map((one) => [seriesKeyOf(one), answerOf(sight, one)] as const);
  return () =>
    new Map(
      answers.flatMap(([key, answer]) => {
        const value = answer();
        return value === undefined ? [] : [[key, value] as const];
      }),
    );
}

function answerOf(sight: RunSight, { kind, column: name }: ContractSeries): Answer {
  try {
    if (showsSensitive({ kind, column: name }, sight.expected)) return () => undefined;
    if (isAboutTable(kind)) return TABLE_VALUES[kind](sight);
    return COLUMN_VALUES[kind](sight, sight.columns.require(name));
  } catch (error) {
    if (error instanceof CheckFault) return () => undefined;
    throw error;
  }
}

function isAboutTable(kind: SpcSeriesKind): kind is TableKind {
  return kind in TABLE_VALUES;
}
