export interface Scale {
  readonly ticks: readonly number[];
  /** Returns 0 at the low end of the axis, 1 at the high end. */
  readonly shareOf: (value: number) => number;
}

const TICK_COUNT = 4;

/** The axis includes all values, with ticks at multiples of 1, 2 or 5 times a power of ten. */
export function createScale(values: readonly number[]): Scale {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const size = Math.max(Math.abs(lowest), Math.abs(highest)) || 1;
  const margin = highest > lowest ? (highest - lowest) / 20 : size / 10;
  const [from, to] = [lowest - margin, highest + margin];
  const step = niceStep((to - from) / TICK_COUNT);
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first);
  return {
    ticks: Array.from({ length: count + 1 }, (_, nth) => (first + nth) * step),
    shareOf: (value) => (value - from) / (to - from),
  };
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((multiple) => multiple * power >= rough) ?? 10) * power;
}
