/** For each sample, the number of nonconforming items and the number of items. */
type Counts = readonly (readonly [count: number, size: number])[];

const ofSize = (size: number, counts: readonly number[]): Counts => counts.map((count) => [count, size] as const);

const CANS = [
  ...[12, 15, 8, 10, 4, 7, 16, 9, 14, 10, 5, 6, 17, 12, 22, 8, 10, 5, 13, 11, 20, 18, 24, 15, 9, 12, 7, 13, 9, 6],
];

/**
 * Montgomery, Introduction to Statistical Quality Control: cans of frozen orange juice, 30 samples of 50
 * (`orangejuice` in R qcc). The book prints four decimals. The other decimals were computed in Python with the
 * formulas of qcc, without running R.
 */
export const ORANGE_JUICE = {
  counts: ofSize(50, CANS),
  mean: 347 / 1500,
  lower: 0.0524275480719,
  upper: 0.4102391185947,
  beyond: [14, 22],
  printed: { mean: '0.2313', lower: '0.0524', upper: '0.4102' },
};

/** The revised limits of ORANGE_JUICE, without samples 15 and 23. */
export const REVISED_ORANGE_JUICE = {
  counts: ofSize(
    50,
    CANS.filter((_, at) => at !== 14 && at !== 22),
  ),
  mean: 0.215,
  lower: 0.0407028399543,
  upper: 0.3892971600457,
  beyond: [19],
  printed: { mean: '0.2150', lower: '0.0407', upper: '0.3893' },
};

/** Further samples, taken after an adjustment of the machine that makes the cans: the second part of `orangejuice`. */
export const ADJUSTED_ORANGE_JUICE = {
  counts: ofSize(50, [9, 6, 12, 5, 6, 4, 6, 3, 7, 6, 2, 4, 3, 6, 5, 4, 8, 5, 6, 7, 5, 6, 3, 5]),
  mean: 133 / 1200,
  lower: -0.0223540346863,
  upper: 0.244020701353,
};

/** Pyzdek, The Handbook for Quality Management, table 9.6: bruised peaches in crates of 250. */
export const PEACHES = {
  counts: [
    ...ofSize(250, [47, 42, 55, 51, 46, 61, 39, 44, 41, 51]),
    ...ofSize(500, [88, 101, 101]),
    ...ofSize(250, [40, 48, 47, 50, 48, 57, 45, 43]),
    ...ofSize(500, [105, 98, 100, 96]),
  ] as Counts,
  mean: 0.193,
  limitsBySize: [
    [250, 0.1181198557694, 0.2678801442306],
    [500, 0.1400517422383, 0.2459482577617],
  ] as const,
};

/**
 * Emergency attendances seen within 4 hours, per week: the example for p′ charts in R qicharts2 (`nhs_accidents`;
 * Mohammed and others, 2013). The limits were computed in Python with the formulas of `qic.pp`, without running R.
 */
export const EMERGENCIES = {
  counts: [
    [266501, 280443],
    [264225, 276823],
    [276532, 291681],
    [281461, 296155],
    [269071, 282343],
    [261215, 275888],
    [270409, 283867],
    [279778, 295251],
    [270483, 284468],
    [270320, 282529],
    [267923, 279618],
    [271478, 283932],
    [255353, 266629],
    [256820, 268091],
    [261835, 276803],
    [259144, 271578],
    [255910, 266005],
    [260863, 273520],
    [264465, 278574],
    [260989, 273772],
  ] as Counts,
  mean: 0.9528997113442,
  ratio: 10.6404218634965,
  limitsBySize: [
    [280443, 0.9401296441775, 0.9656697785109],
    [273772, 0.9399749965229, 0.9658244261655],
  ] as const,
};
