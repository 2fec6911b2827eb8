import { executePrepared } from '../../kernel/execute-prepared.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { seriesIdOf, seriesKeyOf, seriesKindOf } from '../contracts/series-key.js';
import type { SpcBaseline } from '../contracts/spc-rule.js';
import type { TableContract } from '../contracts/table-contract.js';
import { findAcceptedLevel, pointsOfLevel } from '../spc/accepted-level.js';
import { evaluateSeries } from '../spc/evaluate-series.js';
import { requiredHistoryLength, type SpcPoint } from '../spc/find-process-level.js';
import type { SeriesValue } from '../spc/series-value.js';
import type { SpcSeries } from '../spc/table-spc-result.js';
import { toStorableText } from './storable-json.js';

export type RunKey = readonly [
  tenant: unknown,
  contract: unknown,
  run: string,
  isReported: boolean,
  capturedAt: string,
];

const SAME_WEEKDAY = `and extract(isodow from captured_at at time zone 'UTC') = extract(isodow from cast(? as timestamptz) at time zone 'UTC')`;

const selectHistory = (time: string) => `
select point."seriesId" as id,
  json_agg(json_build_array(point."latestValue", point."sampleSize", case when status = 'OUT_OF_CONTROL' then
    case when "latestValue" > mean then 'above' else 'below' end end,
    extract(epoch from former.captured_at) * 1000) order by former.captured_at, former.id desc)::text as points
from (
  select id, captured_at, series from table_spc_result
  where tenant_id = ? and contract_id = ? and (run_id, is_reported) <> (?, ?) and (captured_at < ? or captured_at = ? and id > ?) ${time}
  order by captured_at desc, id limit ?
) former
cross join lateral json_to_recordset(former.series)
  as point ("seriesId" text, "latestValue" float8, "sampleSize" float8, mean float8, status text)
where point."seriesId" in (select json_array_elements_text(?::json))
group by point."seriesId"`;

/**
 * Each statement selects the earlier points of the series, oldest first. Results with the same time have the same order
 * as in the API.
 */
const SELECT_HISTORY: Readonly<Record<SpcBaseline, string>> = {
  recent: selectHistory(''),
  weekday: selectHistory(SAME_WEEKDAY),
};

export async function evaluateRunSeries(
  tx: TenantTransaction,
  contract: Lean<TableContract>,
  values: ReadonlyMap<string, SeriesValue>,
  run: readonly [...RunKey, resultId: unknown],
): Promise<SpcSeries[]> {
  const baselines = new Map(contract.series.map((series) => [seriesKeyOf(series), series.baseline ?? 'recent']));
  const wanted = [...values].map(([key, value]) => ({
    ...{ key, value, baseline: baselines.get(key) ?? ('recent' as const) },
    seriesId: toStorableText(seriesIdOf(contract.id, key)),
  }));
  const histories = new Map<string, SpcPoint[]>();
  for (const [baseline, series] of Object.entries(Object.groupBy(wanted, ({ baseline }) => baseline))) {
    const ids = series.map(({ seriesId }) => seriesId);
    for (const found of await readHistories(tx, contract, baseline as SpcBaseline, ids, run)) histories.set(...found);
  }
  return wanted.map(({ key, value, seriesId }): SpcSeries => {
    const { beyond: _, ...evaluation } = evaluateSeries(histories.get(seriesId) ?? [], value, contract);
    return { seriesId, seriesKind: seriesKindOf(key), ...evaluation };
  });
}

type StoredPoint = readonly [
  value: number,
  sampleSize: number | null,
  beyond: SpcPoint['beyond'] | null,
  capturedAt: number,
];

async function readHistories(
  { em }: TenantTransaction,
  { windowSize, acceptedLevels }: Lean<TableContract>,
  baseline: SpcBaseline,
  seriesIds: readonly string[],
  [tenant, id, run, isReported, time, result]: readonly [...RunKey, resultId: unknown],
): Promise<[string, SpcPoint[]][]> {
  const before = [tenant, id, run, isReported, time, time, result, ...(baseline === 'weekday' ? [time] : [])];
  const limits = [requiredHistoryLength(windowSize), JSON.stringify(seriesIds)];
  const found: { id: string; points: string }[] = await executePrepared(em, SELECT_HISTORY[baseline], [
    ...before,
    ...limits,
  ]);
  return found.map(({ id, points }) => {
    const timed = (JSON.parse(points) as StoredPoint[]).map(([value, sampleSize, beyond, capturedAt]) => ({
      ...{ value, capturedAt },
      ...(sampleSize !== null && { sampleSize }),
      ...(beyond !== null && { beyond }),
    }));
    return [id, pointsOfLevel(timed, findAcceptedLevel(acceptedLevels, id))];
  });
}
