import type { SpcSeriesKind } from '../../catalog/model/tap-quality-config.js';
import { revealsSensitiveValues } from '../contracts/sensitive-columns.js';
import { isShareKind, seriesKeyOf } from '../contracts/series-key.js';
import type { ContractSeries } from '../contracts/table-contract.js';
import type { SeriesValue } from '../spc/series-value.js';
import type { CheckContext } from './check-context.js';
import { CheckError } from './check-error.js';
import type { InspectedColumn } from './inspected-columns.js';
import { newestRecordAge } from './newest-record-age.js';
import { shareOf } from './planned-check.js';
import type { DeferredNumber } from './row-aggregates.js';

type TableKind = Extract<SpcSeriesKind, `TABLE_${string}`>;
type ColumnKind = Exclude<SpcSeriesKind, TableKind>;

const TABLE_VALUES: Readonly<Record<TableKind, (context: CheckContext) => DeferredNumber>> = {
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

const COLUMN_VALUES: Readonly<Record<ColumnKind, (context: CheckContext, column: InspectedColumn) => DeferredNumber>> =
  {
    COLUMN_NULL_RATE: (context, column) => {
      const nulls = context.countNulls(column);
      return () => shareOf(nulls(), context.rows.rows, 'rows').observed;
    },
    COLUMN_DISTINCT_COUNT: ({ aggregates }, column) => {
      const distinct = aggregates.approximateDistinct(column);
      return () => distinct() ?? 0;
    },
    COLUMN_MEAN: ({ aggregates }, column) => aggregates.mean(column),
  };

/** The caller must call the returned function after the scan. The returned function omits series without a value. */
export function prepareSeries(
  context: CheckContext,
  series: readonly ContractSeries[],
): () => Map<string, SeriesValue> {
  const deferred = series.map((one) => [one, prepareValue(context, one)] as const);
  return () =>
    new Map(
      deferred.flatMap(([one, read]) => {
        const value = read();
        if (value === undefined) return [];
        const measured = isShareKind(one.kind) ? { value, sampleSize: context.rows.rows } : { value };
        return [[seriesKeyOf(one), measured] as const];
      }),
    );
}

function prepareValue(context: CheckContext, { kind, column: name }: ContractSeries): DeferredNumber {
  try {
    if (revealsSensitiveValues({ kind, column: name }, context.expected)) return () => undefined;
    if (isTableKind(kind)) return TABLE_VALUES[kind](context);
    return COLUMN_VALUES[kind](context, context.columns.require(name));
  } catch (error) {
    if (error instanceof CheckError) return () => undefined;
    throw error;
  }
}

function isTableKind(kind: SpcSeriesKind): kind is TableKind {
  return kind in TABLE_VALUES;
}
