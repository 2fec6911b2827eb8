/** With this limit, the difference of any two values is finite. */
const MAX_DRAWABLE = 1e300;

const TICK_COUNT = 6;

/** Smallest range of an axis, relative to the values. The ticks of a smaller range would have equal labels. */
const MIN_RELATIVE_RANGE = 1e-9;

export interface ChartTick {
  readonly value: number;
  readonly label: string;
}

export interface ChartScale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly ChartTick[];
  /** Returns 0 at the low end of the axis, 1 at the high end. */
  readonly shareOf: (value: number) => number;
}

/**
 * The axis includes all values, with ticks at multiples of 1, 2 or 5 times a power of ten. Without values, it ranges
 * from 0 to 1.
 */
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
  // Centres a constant series.
  const margin = highest === lowest ? size / 10 : Math.max((highest - lowest) / 20, size * MIN_RELATIVE_RANGE);
  return { lowest: lowest - margin, highest: highest + margin };
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = [1, 2, 5].find((multiple) => multiple * power >= rough) ?? 10;
  return nice * power;
}

/**
 * The label has as many decimal places as the step. It has an exponent if the axis reaches 10^15, or if the step has
 * more than 9 decimal places.
 */
function tickLabel(value: number, step: number, size: number): string {
  const decimals = Math.max(0, -exponentOf(step));
  if (value === 0) return '0';
  if (size < 1e15 && decimals <= 9)
    return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return value.toExponential(Math.min(15, Math.max(0, exponentOf(value) - exponentOf(step))));
}

/** The small addend corrects rounding errors in powers of ten. */
function exponentOf(value: number): number {
  return Math.floor(Math.log10(Math.abs(value)) + 1e-9);
}
