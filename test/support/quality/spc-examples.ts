import type { SpcRule, SpcStatus } from '../../../src/quality/contracts/spc-rule.js';

interface Limits {
  readonly lowerControl3Sigma: number;
  readonly lowerWarning2Sigma: number;
  readonly upperWarning2Sigma: number;
  readonly upperControl3Sigma: number;
}

export interface IndividualsExample {
  readonly name: string;
  readonly source: string;
  readonly values: readonly number[];
  readonly mean: number;
  readonly movingRangeMean: number;
  readonly trendSlope: number;
  readonly bySampleStddev: Limits & { readonly stddev: number };
  readonly byMovingRange: Limits & { readonly stddev: number };
}

/** Series without violations. Verified with the R package Rspc 1.2.2. */
export const INDIVIDUALS: readonly IndividualsExample[] = [
  {
    name: 'flowrates of NIST',
    source:
      'NIST/SEMATECH e-Handbook of Statistical Methods, 6.3.2.2: flowrates on individuals control charts. Mean, mean range and limits are published.',
    values: [49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1],
    mean: 50.81,
    movingRangeMean: 1.8777777778,
    trendSlope: 0.5109090909,
    bySampleStddev: {
      stddev: 2.0338523928,
      lowerControl3Sigma: 44.7084428217,
      lowerWarning2Sigma: 46.7422952145,
      upperWarning2Sigma: 54.8777047855,
      upperControl3Sigma: 56.9115571783,
    },
    byMovingRange: {
      stddev: 1.6646966115,
      lowerControl3Sigma: 45.8159101655,
      lowerWarning2Sigma: 47.480606777,
      upperWarning2Sigma: 54.139393223,
      upperControl3Sigma: 55.8040898345,
    },
  },
  {
    name: 'viscosity of Montgomery',
    source: 'Montgomery, Introduction to Statistical Quality Control: viscosity of paint. Limits by R qcc 2.7.',
    values: [33.75, 33.05, 34, 33.81, 33.46, 34.02, 33.68, 33.27, 33.49, 33.2, 33.62, 33, 33.54, 33.12, 33.84],
    mean: 33.5233333333,
    movingRangeMean: 0.4807142857,
    trendSlope: -0.0208571429,
    bySampleStddev: {
      stddev: 0.3355521392,
      lowerControl3Sigma: 32.5166769159,
      lowerWarning2Sigma: 32.852229055,
      upperWarning2Sigma: 34.1944376117,
      upperControl3Sigma: 34.5299897508,
    },
    byMovingRange: {
      stddev: 0.4261651469,
      lowerControl3Sigma: 32.2448378926,
      lowerWarning2Sigma: 32.6710030395,
      upperWarning2Sigma: 34.3756636272,
      upperControl3Sigma: 34.8018287741,
    },
  },
  {
    name: 'jets of SAS',
    source: 'SAS/QC sample SHWIR1, data set Jets. Limits by R qcc 2.7.',
    values: [
      78.4, 80.1, 84.4, 79.1, 80.4, 83.5, 73.8, 83.5, 75, 76.8, 70.5, 80.3, 82.4, 79.4, 86.4, 90.5, 77.7, 82.5, 79.9,
      83.2,
    ],
    mean: 80.39,
    movingRangeMean: 5.3263157895,
    trendSlope: 0.1666165414,
    bySampleStddev: {
      stddev: 4.516041583,
      lowerControl3Sigma: 66.8418752511,
      lowerWarning2Sigma: 71.3579168341,
      upperWarning2Sigma: 89.4220831659,
      upperControl3Sigma: 93.9381247489,
    },
    byMovingRange: {
      stddev: 4.7219111609,
      lowerControl3Sigma: 66.2242665174,
      lowerWarning2Sigma: 70.9461776782,
      upperWarning2Sigma: 89.8338223218,
      upperControl3Sigma: 94.5557334826,
    },
  },
  {
    name: 'the series of NIST for moving averages',
    source:
      'NIST/SEMATECH e-Handbook of Statistical Methods, 6.3.2.4. Limits by R qcc 2.7. In control: no rule may fire.',
    values: [
      52, 47, 53, 49.3, 50.1, 47, 51, 50.1, 51.2, 50.5, 49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1,
    ],
    mean: 50.465,
    movingRangeMean: 2.2684210526,
    trendSlope: 0.1178195489,
    bySampleStddev: {
      stddev: 1.9690433157,
      lowerControl3Sigma: 44.557870053,
      lowerWarning2Sigma: 46.5269133687,
      upperWarning2Sigma: 54.4030866313,
      upperControl3Sigma: 56.372129947,
    },
    byMovingRange: {
      stddev: 2.0110115715,
      lowerControl3Sigma: 44.4319652856,
      lowerWarning2Sigma: 46.442976857,
      upperWarning2Sigma: 54.487023143,
      upperControl3Sigma: 56.4980347144,
    },
  },
];

/** Values to 4 decimal places, as the handbook prints them. */
export const NIST_PUBLISHED = {
  mean: 50.81,
  movingRangeMean: 1.8778,
  lowerControl3Sigma: 45.8159,
  upperControl3Sigma: 55.8041,
};

/**
 * Means of the diameters of five piston rings each (Montgomery, Introduction to Statistical Quality Control;
 * `pistonrings` in R qcc 2.7). The expected values are the output of qcc for a run length of 7, with the centre and
 * sigma of the first 25 means.
 */
export const PISTON_RINGS = {
  values: [
    74.0102, 74.0006, 74.008, 74.003, 74.0034, 73.9956, 74, 73.9968, 74.0042, 73.998, 73.9942, 74.0014, 73.9984,
    73.9902, 74.006, 73.9966, 74.0008, 74.0074, 73.9982, 74.0092, 73.9998, 74.0016, 74.0024, 74.0052, 73.9982, 74.0086,
    74.0022, 73.9922, 74.0036, 73.9974, 74.0072, 74.0056, 73.9978, 74.0112, 74.0126, 74.004, 74.0166, 74.0196, 74.0234,
    74.0128,
  ],
  centre: 74.001176,
  sigma: 0.0043760023,
  lowerControl3Sigma: 73.988047993,
  upperControl3Sigma: 74.014304007,
  beyondLimits: [36, 37, 38],
  runLength: 7,
  runs: [39],
};

export interface ServiceExample extends Limits {
  readonly name: string;
  readonly history: readonly number[];
  readonly latestValue: number;
  readonly status: SpcStatus;
  readonly mean: number;
  readonly stddev: number;
  readonly trendSlope: number;
  readonly rules: readonly SpcRule[];
}

/**
 * Examples for this service, with independently computed results. The settings are `windowSize` 20,
 * `minHistoryForViolation` 8 and the sigma method `sample_stddev`.
 */
export const SERVICE_EXAMPLES: readonly ServiceExample[] = [
  {
    name: 'in bounds',
    history: [
      1000, 1012, 995, 1003, 1008, 990, 1005, 998, 1001, 1010, 996, 1004, 1007, 993, 1002, 999, 1006, 1000, 997, 1009,
    ],
    latestValue: 1005,
    status: 'IN_BOUNDS',
    mean: 1001.75,
    stddev: 5.9460291925,
    lowerControl3Sigma: 983.9119124225,
    lowerWarning2Sigma: 989.857941615,
    upperWarning2Sigma: 1013.642058385,
    upperControl3Sigma: 1019.5880875775,
    trendSlope: 0.038961039,
    rules: [],
  },
  {
    name: 'between 2 and 3 sigma',
    history: [
      1000, 1012, 995, 1003, 1008, 990, 1005, 998, 1001, 1010, 996, 1004, 1007, 993, 1002, 999, 1006, 1000, 997, 1009,
    ],
    latestValue: 1014,
    status: 'WARNING',
    mean: 1001.75,
    stddev: 5.9460291925,
    lowerControl3Sigma: 983.9119124225,
    lowerWarning2Sigma: 989.857941615,
    upperWarning2Sigma: 1013.642058385,
    upperControl3Sigma: 1019.5880875775,
    trendSlope: 0.1558441558,
    rules: ['WARNING_2_SIGMA'],
  },
  {
    name: 'always the same',
    history: [500, 500, 500, 500, 500, 500, 500, 500, 500, 500],
    latestValue: 500,
    status: 'IN_BOUNDS',
    mean: 500,
    stddev: 0,
    lowerControl3Sigma: 500,
    lowerWarning2Sigma: 500,
    upperWarning2Sigma: 500,
    upperControl3Sigma: 500,
    trendSlope: 0,
    rules: [],
  },
  {
    name: 'steady growth',
    history: [100, 110, 120, 130, 140, 150, 160, 170, 180, 190],
    latestValue: 200,
    status: 'WARNING',
    mean: 145,
    stddev: 30.276503541,
    lowerControl3Sigma: 54.1704893771,
    lowerWarning2Sigma: 84.4469929181,
    upperWarning2Sigma: 205.5530070819,
    upperControl3Sigma: 235.8295106229,
    trendSlope: 10,
    rules: ['NELSON_3'],
  },
];
