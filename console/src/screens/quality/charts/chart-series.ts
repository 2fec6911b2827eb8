import type { SpcBaseline, SpcSeriesKind } from '../../../gql/graphql.js';
import type { Contract } from '../table-quality-query.js';
import { SERIES_TITLES, SPC_SEVERITY } from './chart-words.js';

type StoredSeries = NonNullable<Contract['spcResults']>[number]['series'][number];

export interface ChartPoint extends StoredSeries {
  readonly runId: string;
  readonly capturedAt: string;
}

export interface ChartSeries {
  readonly id: string;
  readonly kind: SpcSeriesKind;
  readonly title: string;
  readonly column: string | undefined;
  readonly baseline: SpcBaseline;
  readonly level: NonNullable<Contract['acceptedLevels']>[number] | undefined;
  /** Oldest first. */
  readonly points: readonly [ChartPoint, ...ChartPoint[]];
  readonly latest: ChartPoint;
}

/** Series with a problem come first. */
export function chartSeriesOf({ spcResults, series, acceptedLevels }: Contract): ChartSeries[] {
  const found = new Map<string, ChartPoint[]>();
  for (const { runId, capturedAt, series: stored } of [...(spcResults ?? [])].reverse())
    for (const point of stored) {
      const points = found.get(point.seriesId) ?? [];
      found.set(point.seriesId, points);
      points.push({ ...point, runId, capturedAt });
    }
  const all = [...found].flatMap(([id, points]): ChartSeries[] => {
    const [[first, ...rest], latest] = [points, points.at(-1)];
    if (!first || !latest) return [];
    const kind = latest.seriesKind;
    const column = id.split(':').slice(2).join(':') || undefined;
    const term = series.find((one) => one.kind === kind && (one.column ?? undefined) === column);
    return [
      {
        ...{ id, kind, column, title: seriesTitle(kind, column), points: [first, ...rest], latest },
        baseline: term?.baseline ?? 'recent',
        level: acceptedLevels?.find(({ seriesId }) => seriesId === id),
      },
    ];
  });
  return all.sort((a, b) => SPC_SEVERITY.indexOf(a.latest.status) - SPC_SEVERITY.indexOf(b.latest.status));
}

export function seriesTitle(kind: SpcSeriesKind, column?: string | null): string {
  return column ? `${SERIES_TITLES[kind]}: ${column}` : SERIES_TITLES[kind];
}

/**
 * Returns false for a point with too few earlier points and a standard deviation of 0, because all limits equal the
 * mean.
 */
export function hasLimits({ status, stddev }: ChartPoint): boolean {
  return status !== 'INSUFFICIENT_HISTORY' || stddev > 0;
}

/**
 * Returns the point at which the level may have shifted: the first of the latest consecutive points that are out of
 * bounds on the same side of the mean. If the latest point is in bounds, returns the latest point.
 */
export function startOfShift({ points, latest }: ChartSeries): ChartPoint {
  const side = Math.sign(latest.latestValue - latest.mean);
  const isShifted = ({ latestValue, mean, status }: ChartPoint): boolean =>
    Math.sign(latestValue - mean) === side && (status === 'OUT_OF_CONTROL' || status === 'WARNING');
  return points[points.findLastIndex((point) => !isShifted(point)) + 1] ?? latest;
}
