import type { SpcSeriesKind } from '../../catalog/model/tap-quality-config.js';
import { revealsSensitiveValues } from '../contracts/sensitive-columns.js';
import { seriesKeyOf } from '../contracts/series-key.js';
import type { ContractSeries } from '../contracts/table-contract.js';
import type { CheckContext } from './check-context.js';
import { CheckError } from './check-error.js';
import type { InspectedColumn } from './inspected-columns.js';
import { newestRecordAge } from './newest-record-age.js';
import { shareOf } from './planned-check.js';
import type { DeferredNumber } from './row-aggregates.js';

type TableKind = Extract<SpcSeriesKind, `TABLE_${string}`>;
type ColumnKind = Exclude<SpcSeriesKind, TableKind>;

const TABLE_VALUES: Readonly<Record<TableKind, (sight: CheckContext) => DeferredNumber>> = {
  TABLE_ROW_COUNT:
    ({ rows }) =>
    () =>
      rows.rows,
  TABLE_BYTES:
    ({ rows: { files } }) =>
    () =>
      files.reduce((sum, { bytes }) => sum + bytes, 0),
  TABLE_FRESHNESS_SECONDS: newestRecordAge,
};

const COLUMN_VALUES: Readonly<Record<ColumnKind, (sight: CheckContext, column: InspectedColumn) => DeferredNumber>> = {
  COLUMN_NULL_RATE: (sight, column) => {
    const lacking = sight.countNulls(column);
    return () => shareOf(lacking(), sight.rows.rows, 'rows').observed;
  },
  COLUMN_DISTINCT_COUNT: ({ aggregates }, column) => {
    const distinct = aggregates.approximateDistinct(column);
    return () => distinct() ?? 0;
  },
  COLUMN_MEAN: ({ aggregates }, column) => aggregates.mean(column),
};

/** Asks the rows for the points of series; by the keys of those that have one, once they were read. */
export function prepareSeries(sight: CheckContext, series: readonly ContractSeries[]): () => Map<string, number> {
  const answers = series.map((one) => [seriesKeyOf(one), prepareValue(sight, one)] as const);
  return () =>
    new Map(
      answers.flatMap(([key, answer]) => {
        const value = answer();
        return value === undefined ? [] : [[key, value] as const];
      }),
    );
}

function prepareValue(sight: CheckContext, { kind, column: name }: ContractSeries): DeferredNumber {
  try {
    if (revealsSensitiveValues({ kind, column: name }, sight.expected)) return () => undefined;
    if (isTableKind(kind)) return TABLE_VALUES[kind](sight);
    return COLUMN_VALUES[kind](sight, sight.columns.require(name));
  } catch (error) {
    if (error instanceof CheckError) return () => undefined;
    throw error;
  }
}

function isTableKind(kind: SpcSeriesKind): kind is TableKind {
  return kind in TABLE_VALUES;
}
