import type { Lean } from '../../kernel/reading/reader.js';
import { seriesIdOf, seriesKeyOf } from '../contracts/series-key.js';
import type { AcceptedLevel, ContractSeries } from '../contracts/table-contract.js';
import { findAcceptedLevel, pointsOfLevel, type TimedPoint } from '../spc/accepted-level.js';
import { evaluateSeries, type SpcSettings } from '../spc/evaluate-series.js';
import { requiredHistoryLength } from '../spc/find-process-level.js';
import type { SpcSeries, TableSpcResult } from '../spc/table-spc-result.js';
import type { SeriesPreview } from './contract-preview.js';

interface Terms extends SpcSettings {
  readonly id: string;
  readonly series: readonly ContractSeries[];
  readonly acceptedLevels?: readonly AcceptedLevel[] | null | undefined;
}

/** `results` starts with the oldest result. Returns the last `count` points of each series. */
export function previewSeries(
  contract: Terms,
  results: readonly Pick<Lean<TableSpcResult>, 'capturedAt' | 'series'>[],
  count: number,
): SeriesPreview[] {
  const stored = new Map<string, { at: string; point: SpcSeries }[]>();
  for (const { capturedAt, series } of results)
    for (const point of series) {
      const points = stored.get(point.seriesId) ?? [];
      stored.set(point.seriesId, points);
      points.push({ at: capturedAt as unknown as string, point });
    }
  return contract.series.map((series) => {
    const seriesId = seriesIdOf(contract.id, seriesKeyOf(series));
    const points = stored.get(seriesId) ?? [];
    const statuses = replay(points, contract, series, findAcceptedLevel(contract.acceptedLevels, seriesId));
    const shown = points.map(({ at, point }, nth) => ({
      ...{ capturedAt: at, value: point.latestValue, before: point.status },
      after: statuses[nth] as SpcSeries['status'],
    }));
    return { seriesId, points: shown.slice(-count) };
  });
}

function replay(
  points: readonly { at: string; point: SpcSeries }[],
  settings: Terms,
  { baseline = 'recent' }: ContractSeries,
  level: AcceptedLevel | undefined,
): SpcSeries['status'][] {
  const history: TimedPoint[] = [];
  return points.map(({ at, point: { latestValue: value, sampleSize } }) => {
    const time = Date.parse(at);
    const latest = { value, ...(sampleSize != null && { sampleSize }) };
    const decided = level && time > Date.parse(level.acceptedAt) ? level : undefined;
    const comparable = history.filter((one) => baseline === 'recent' || isSameWeekday(one.capturedAt, time));
    const earlier = pointsOfLevel(comparable.slice(-requiredHistoryLength(settings.windowSize)), decided);
    const { status, beyond } = evaluateSeries(earlier, latest, settings);
    history.push({ ...latest, capturedAt: time, ...(beyond && { beyond }) });
    return status;
  });
}

function isSameWeekday(one: number, other: number): boolean {
  return new Date(one).getUTCDay() === new Date(other).getUTCDay();
}
