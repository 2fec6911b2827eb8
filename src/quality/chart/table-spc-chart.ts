import { ArgsType, Field, Int } from 'type-graphql';
import type { SpcSeriesKind } from '../../catalog/model/tap-quality-config.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { Limits } from '../../kernel/entities/field-limits.js';
import { Base62Id, decodeId } from '../../kernel/ids.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { CatalogTable } from '../../tables/catalog-table.js';
import { findCatalogTable } from '../../tables/existing-table.js';
import { parseSeriesId, seriesKindOf } from '../contracts/series-key.js';
import { type ContractScope, TableContract } from '../contracts/table-contract.js';
import type { SpcSeries } from '../spc/table-spc-result.js';
import type { ChartLimits } from './control-chart.js';
import { describeLimits } from './describe-chart.js';
import { drawControlChart } from './draw-control-chart.js';

@ArgsType()
export class TableSpcChartArgs {
  @Field(() => Base62Id, { description: 'Id of the table.' })
  id: string;

  @Field(() => String, {
    description: '`seriesId` of a series of the table. Percent-encode it in a URL.',
  })
  @Limits({ maxLength: 400 })
  seriesId: string;

  @Field(() => Int, { description: 'Maximum number of points, 2 to 200.', defaultValue: 60 })
  @Limits({ minimum: 2, maximum: 200 })
  points: number;
}

const SERIES_TITLES: Readonly<Record<SpcSeriesKind, string>> = {
  TABLE_ROW_COUNT: 'rows',
  TABLE_BYTES: 'bytes',
  TABLE_FRESHNESS_SECONDS: 'seconds since the newest record',
  COLUMN_NULL_RATE: 'share of nulls in',
  COLUMN_DISTINCT_COUNT: 'distinct values of',
  COLUMN_MEAN: 'mean of',
};

const SCOPE_SUBTITLES: Readonly<Record<ContractScope, string>> = {
  tap: 'Measured in the rows of each run',
  data: 'Measured in the whole table',
};

/**
 * The service searches only this number of the latest results for points. If a user has removed the series from the
 * contract, the latest results contain no points of the series.
 */
const MAX_SEARCHED_RESULTS = 1_000;

const SELECT_POINTS = `
select run_id, to_char(captured_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), one.series
from (
  select id, run_id, captured_at, series from table_spc_result
  where tenant_id = $1 and contract_id = $2 order by captured_at desc, id limit ${MAX_SEARCHED_RESULTS}
) result
cross join lateral (select one as series from json_array_elements(result.series) one where one ->> 'seriesId' = $3) one
order by captured_at desc, id limit $4`;

/**
 * Returns an SVG image, or undefined if the table is not in the workspace catalog or has no stored point of the series.
 */
export async function renderTableSpcChart(
  read: Reader,
  { id, seriesId, points }: TableSpcChartArgs,
): Promise<string | undefined> {
  const table = await findCatalogTable(read, id);
  const { contractId, key } = parseSeriesId(seriesId) ?? {};
  const contract = table && contractId && (await read.byId(TableContract, contractId));
  if (!contract || !key || contract.table !== table.id) return undefined;
  const values = [decodeId(contract.tenantId), decodeId(contract.id), seriesId, points];
  const found = (await read.rows(SELECT_POINTS, values)) as [string, string, string][];
  if (found.length === 0) return undefined;
  const series = found.map(([runId, capturedAt, text]) => ({ runId, capturedAt, ...(JSON.parse(text) as SpcSeries) }));
  const { chartType } = series[0] ?? {};
  const hasOwnLimits = describeLimits(chartType) !== undefined;
  return drawControlChart({
    title: `${await chartTableName(read, table)}: ${titleOf(key)}`,
    subtitle: [SCOPE_SUBTITLES[contract.scope], describeLimits(chartType)].filter(Boolean).join('; '),
    points: series.reverse().map(({ latestValue: value, violations, ...one }) => ({
      ...{ runId: one.runId, capturedAt: one.capturedAt, value, status: one.status },
      violations: violations.map(({ ruleId }) => ruleId),
      ...(hasOwnLimits && { limits: storedLimitsOf(one) }),
    })),
    limits: storedLimitsOf(series.at(-1)),
    chartType,
  });
}

function titleOf(key: string): string {
  const kind = seriesKindOf(key);
  return `${SERIES_TITLES[kind]} ${key.slice(kind.length + 1)}`.trimEnd();
}

/** Returns undefined for a series with insufficient history and a standard deviation of 0. */
function storedLimitsOf(
  series: (ChartLimits & Pick<SpcSeries, 'status' | 'stddev'>) | undefined,
): ChartLimits | undefined {
  return series?.status === 'INSUFFICIENT_HISTORY' && series.stddev === 0 ? undefined : series;
}

async function chartTableName(read: Reader, { tap }: Lean<CatalogTable>): Promise<string | undefined> {
  return (await read.byId(TenantConnectorTap, tap))?.tableName;
}
