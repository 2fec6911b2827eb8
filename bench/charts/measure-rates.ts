import type { SeriesValue } from '../../src/quality/spc/series-value.js';
import { formatTarget } from '../support/format-target.js';
import { binomial, logUniform, normal } from './random-numbers.js';
import { evaluateAfter, formatPercent, shareOutOfControl } from './simulate-series.js';

/** Number of series for the first of `SIMULATIONS`, whose figures the benchmark compares with targets. */
const TRIALS = 100_000;
const FEW_TRIALS = 10_000;
const HISTORY = 30;
const RATE = 0.02;
const MAX_FALSE_ALARMS = 0.01;
const MIN_DETECTION = 0.45;

type Simulation = readonly [name: string, rate: number, sizes: () => number, rateDeviation?: number];

/**
 * `sizes` returns the number of rows of a run. `rateDeviation` is the standard deviation of the rate between runs, as a
 * share of the rate.
 */
const SIMULATIONS: readonly Simulation[] = [
  ['50 to 2,000 rows', RATE, () => Math.round(logUniform(50, 2_000))],
  ['50 rows', RATE, () => 50],
  ['200 rows', RATE, () => 200],
  ['1,000 rows', RATE, () => 1_000],
  ['10 rows, rate 0.5 %', 0.005, () => 10],
  ['50 to 2,000 rows, rate varies by 30 %', RATE, () => Math.round(logUniform(50, 2_000)), 0.3],
  ['5,000 rows, rate varies by 30 %', RATE, () => 5_000, 0.3],
];

export function printRates(): void {
  console.log(`Shares of ${RATE * 100} %: series of ${HISTORY} runs, and one more run`);
  console.log(`${''.padEnd(40)}   false alarms          doubled rate found`);
  console.log(`${'rows per run'.padEnd(40)}  p and p′  individuals    p and p′  individuals`);
  const measured = SIMULATIONS.map((simulation, at) => {
    const trials = at === 0 ? TRIALS : FEW_TRIALS;
    return { falseAlarms: measure(simulation, 1, trials), found: measure(simulation, 2, trials) };
  });
  for (const [at, { falseAlarms, found }] of measured.entries()) {
    const figures = [falseAlarms.shares, falseAlarms.individuals, found.shares, found.individuals].map(formatPercent);
    console.log(`${SIMULATIONS[at]?.[0].padEnd(40)}${figures[0]}   ${figures[1]}    ${figures[2]}   ${figures[3]}`);
  }
  const [first] = measured;
  const [falseAlarms, found] = [first?.falseAlarms.shares ?? 1, first?.found.shares ?? 0];
  console.log(`
${formatTarget(falseAlarms <= MAX_FALSE_ALARMS, `50 to 2,000 rows: at most 1 % false alarms (${(100 * falseAlarms).toFixed(2)} %)`)}
${formatTarget(found >= MIN_DETECTION, `50 to 2,000 rows: in at least 45 % of the series, the first run with a doubled rate is out of control (${(100 * found).toFixed(2)} %)`)}
`);
}

function measure(
  [, rate, sizes, rateDeviation = 0]: Simulation,
  factor: number,
  trials: number,
): { shares: number; individuals: number } {
  const draw = (mean: number): SeriesValue => {
    const sampleSize = sizes();
    const own = rateDeviation === 0 ? mean : Math.min(0.99, Math.max(1e-4, normal(mean, mean * rateDeviation)));
    return { value: binomial(sampleSize, own) / sampleSize, sampleSize };
  };
  let individuals = 0;
  const shares = shareOutOfControl(trials, () => {
    const history = Array.from({ length: HISTORY }, () => draw(rate));
    const latest = draw(rate * factor);
    const withoutSizes = evaluateAfter(
      history.map(({ value }) => ({ value })),
      { value: latest.value },
    );
    if (withoutSizes.status === 'OUT_OF_CONTROL') individuals++;
    return evaluateAfter(history, latest);
  });
  return { shares, individuals: individuals / trials };
}
