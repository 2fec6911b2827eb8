/** Beyond this the range of two values is no number any more; nothing that is drawn lies higher. */
const MAX_DRAWABLE = 1e300;

const TICK_COUNT = 6;

/** Smallest range that is drawn, as a share of the values: closer ones would have the same labels. */
const MIN_RELATIVE_RANGE = 1e-9;

export interface ChartTick {
  readonly value: number;
  readonly label: string;
}

/** A vertical axis: its ends are ticks. */
export interface ChartScale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly ChartTick[];
  /** 0 at the low end, 1 at the high one. */
  readonly shareOf: (value: number) => number;
}

/** An axis over all values, with ticks at 1, 2 or 5 times a power of ten; of none, from 0 to 1. */
export function createChartScale(values: readonly number[]): ChartScale {
  const { lowest, highest } = rangeOf(values.length > 0 ? values.map(clampDrawable) : [0, 1]);
  const step = niceStep((highest - lowest) / TICK_COUNT);
  const first = Math.floor(lowest / step);
  const count = Math.max(1, Math.ceil(highest / step) - first);
  const ticks = Array.from({ length: count + 1 }, (_, index) => (first + index) * step);
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  return {
    low,
    high,
    ticks: ticks.map((value) => ({ value, label: tickLabel(value, step, Math.max(-low, high)) })),
    shareOf: (value) => (clampDrawable(value) - low) / (high - low),
  };
}

function clampDrawable(value: number): number {
  return Math.min(Math.max(value, -MAX_DRAWABLE), MAX_DRAWABLE);
}

function rangeOf(values: readonly number[]): { lowest: number; highest: number } {
  const lowest = Math.min(...values);
  const highest = Math.max(...values);
  const size = Math.max(-lowest, highest);
  if (size <= 1 / MAX_DRAWABLE) return { lowest: -1, highest: 1 };
  // A constant series lies in the middle of an axis that shows how large it is.
  const margin = highest === lowest ? size / 10 : Math.max((highest - lowest) / 20, size * MIN_RELATIVE_RANGE);
  return { lowest: lowest - margin, highest: highest + margin };
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = [1, 2, 5].find((multiple) => multiple * power >= rough) ?? 10;
  return nice * power;
}

/** As many decimals as the step has; with an exponent where that is more than fifteen digits. */
function tickLabel(value: number, step: number, size: number): string {
  const decimals = Math.max(0, -exponentOf(step));
  if (value === 0) return '0';
  if (size < 1e15 && decimals <= 9)
    return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return value.toExponential(Math.min(15, Math.max(0, exponentOf(value) - exponentOf(step))));
}

/** A power of ten can come out of a product a little too low. */
function exponentOf(value: number): number {
  return Math.floor(Math.log10(Math.abs(value)) + 1e-9);
}
