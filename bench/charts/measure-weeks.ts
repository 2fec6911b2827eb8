import type { SpcEvaluation } from '../../src/quality/spc/evaluate-series.js';
import type { SeriesValue } from '../../src/quality/spc/series-value.js';
import { normal } from './random-numbers.js';
import { evaluateAfter, formatPercent, shareOutOfControl } from './simulate-series.js';

const TRIALS = 20_000;
const WEEKS = 30;
const ROWS = 1_000;

/**
 * `weekdays` contains the mean number of rows of each day, from Monday, as a share of `ROWS`. `deviation` is the
 * standard deviation as a share of this mean.
 */
const PATTERNS: readonly [name: string, weekdays: readonly number[], deviation: number][] = [
  ['the same number of rows each day', [1, 1, 1, 1, 1, 1, 1], 0.1],
  ['80 % on Saturday and Sunday', [1, 1, 1, 1, 1, 0.8, 0.8], 0.1],
  ['30 % on Saturday and Sunday', [1, 1, 1, 1, 1, 0.3, 0.3], 0.1],
];

export function printWeeks(): void {
  console.log(`Row counts of one run a day: ${TRIALS.toLocaleString('en')} series of ${WEEKS} weeks and one more day`);
  console.log(`${''.padEnd(40)}   false alarms          halved row count found`);
  console.log(`${'pattern'.padEnd(40)}   weekday       recent     weekday       recent`);
  for (const [name, weekdays, deviation] of PATTERNS) {
    const figures = [1, 0.5].flatMap((factor) =>
      (['weekday', 'recent'] as const).map((baseline) =>
        formatPercent(shareOutOfControl(TRIALS, () => simulateMonday(weekdays, deviation, factor, baseline))),
      ),
    );
    console.log(`${name.padEnd(40)}${figures[0]}   ${figures[1]}    ${figures[2]}   ${figures[3]}`);
  }
  console.log('\nDays until the first violation: 99 with `weekday`, 15 with `recent` (`minHistoryForViolation` 14)\n');
}

function simulateMonday(
  weekdays: readonly number[],
  deviation: number,
  factor: number,
  baseline: 'weekday' | 'recent',
): SpcEvaluation {
  const rowsOf = (day: number): SeriesValue => {
    const mean = ROWS * (weekdays[day % 7] ?? 1);
    return { value: Math.round(normal(mean, mean * deviation)) };
  };
  const days = Array.from({ length: 7 * WEEKS }, (_, day) => day);
  const compared = baseline === 'weekday' ? days.filter((day) => day % 7 === 0) : days.slice(-WEEKS);
  return evaluateAfter(compared.map(rowsOf), { value: rowsOf(0).value * factor });
}
