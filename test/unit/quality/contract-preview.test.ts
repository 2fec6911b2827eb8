import { describe, expect, it } from 'vitest';
import type { ContractRule } from '../../../src/quality/contracts/table-contract.js';
import { previewChecks } from '../../../src/quality/preview/preview-checks.js';
import { previewSeries } from '../../../src/quality/preview/preview-series.js';
import { pointsOfLevel } from '../../../src/quality/spc/accepted-level.js';

const day = (nth: number) => new Date(Date.UTC(2026, 0, 1 + nth)).toISOString();
const TERMS = { schema: { fields: [] }, allowsNewColumns: true, primaryKey: ['id'], sensitiveColumns: [] };
const rule = (maxRate: number, others: Partial<ContractRule> = {}): ContractRule => ({
  ...{ type: 'null_rate', column: 'email', maxRate, ...others },
});

const resultsOf = (...observed: number[]) =>
  observed.map((value, nth) => ({
    capturedAt: day(nth) as never,
    checks: [
      {
        ...{ spec: { id: 'null_rate:email', description: '', gate: 'GATE_2' as const }, key: 'null_rate:email' },
        ...{ status: 'PASS' as const, observed: value },
      },
    ],
  }));

describe('the preview of checks', () => {
  it('compares the stored observed values with the changed threshold', () => {
    const [check] = previewChecks(
      { ...TERMS, rules: [rule(0.5)] },
      { ...TERMS, rules: [rule(0.1)] },
      resultsOf(0.1, 0.2),
    );
    expect(check).toMatchObject({ threshold: 0.1, comparator: 'LTE' });
    expect(check?.runs.map(({ before, after }) => [before, after])).toEqual([
      ['PASS', 'PASS'],
      ['PASS', 'FAIL'],
    ]);
  });

  it.each([
    ['a new check', [], [rule(0.1)]],
    ['a different pattern', [rule(0, { type: 'pattern', pattern: 'a' })], [rule(0, { type: 'pattern', pattern: 'b' })]],
    ['a different range', [rule(0, { type: 'range', minimum: 1 })], [rule(0, { type: 'range', minimum: 2 })]],
  ])('says that the stored results do not show the effect of %s', (_, former, changed) => {
    const [check] = previewChecks({ ...TERMS, rules: former }, { ...TERMS, rules: changed }, resultsOf(0.1));
    expect(check).toMatchObject({ unknownBecause: expect.stringContaining('next run'), runs: [] });
  });

  it('says that a different primary key affects the observed duplicates', () => {
    const rules: ContractRule[] = [{ type: 'duplicate_rate' }];
    const [check] = previewChecks({ ...TERMS, rules }, { ...TERMS, primaryKey: ['name'], rules }, []);
    expect(check?.unknownBecause).toContain('observed values');
  });
});

describe('the preview of control charts', () => {
  const contract = {
    ...{ id: 'K', series: [{ kind: 'TABLE_ROW_COUNT' as const }], windowSize: 30, minHistoryForViolation: 5 },
    ...{ sigmaMethod: 'sample_stddev' as const, extraSpcRules: [] },
  };
  const charts = (...values: number[]) =>
    values.map((latestValue, nth) => ({
      capturedAt: day(nth) as never,
      series: [{ seriesId: 'K:TABLE_ROW_COUNT', latestValue, status: 'INSUFFICIENT_HISTORY' } as never],
    }));

  it('evaluates each stored point against the points before it, and shows the last points', () => {
    const [series] = previewSeries(contract, charts(10, 11, 10, 11, 10, 90), 2);
    expect(series?.points.map(({ value, before, after }) => [value, before, after])).toEqual([
      [10, 'INSUFFICIENT_HISTORY', 'INSUFFICIENT_HISTORY'],
      [90, 'INSUFFICIENT_HISTORY', 'OUT_OF_CONTROL'],
    ]);
  });

  it('compares points with the same weekday only, if the series has this baseline', () => {
    const weekday = { ...contract, series: [{ kind: 'TABLE_ROW_COUNT' as const, baseline: 'weekday' as const }] };
    const [series] = previewSeries(weekday, charts(10, 11, 10, 11, 10, 90), 1);
    expect(series?.points[0]?.after).toBe('INSUFFICIENT_HISTORY');
  });
});

describe('an accepted level', () => {
  it('omits earlier points, and counts points until the decision even if they were beyond a limit', () => {
    const points = [0, 1, 2, 3].map((nth) => ({
      value: nth,
      capturedAt: Date.parse(day(nth)),
      beyond: 'above' as const,
    }));
    const level = { seriesId: 'K:TABLE_ROW_COUNT', from: day(1), acceptedAt: day(2), acceptedBy: 'U' };
    expect(pointsOfLevel(points, level).map(({ value, beyond }) => [value, beyond])).toEqual([
      [1, undefined],
      [2, undefined],
      [3, 'above'],
    ]);
    expect(pointsOfLevel(points, undefined)).toHaveLength(4);
  });
});
