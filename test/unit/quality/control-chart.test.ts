import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeMarkup } from '../../../src/kernel/formats/escape-markup.js';
import { drawMark } from '../../../src/quality/chart/chart-marks.js';
import { createChartScale } from '../../../src/quality/chart/chart-scale.js';
import { DARK_PALETTE, LIGHT_PALETTE } from '../../../src/quality/chart/chart-style.js';
import type { ChartLimits, ChartPoint, ControlChart } from '../../../src/quality/chart/control-chart.js';
import { drawControlChart } from '../../../src/quality/chart/draw-control-chart.js';
import { SpcRule } from '../../../src/quality/contracts/spc-rule.js';
import { elementsOf, parseXml, type XmlElement } from '../../support/quality/xml-tree.js';

const LIMITS: ChartLimits = {
  lowerControl3Sigma: 970,
  lowerWarning2Sigma: 980,
  mean: 1000,
  upperWarning2Sigma: 1020,
  upperControl3Sigma: 1030,
};

function aPoint(point: Partial<ChartPoint> = {}): ChartPoint {
  return {
    runId: 'run-1',
    capturedAt: '2026-11-22T04:10:00.000Z',
    value: 1000,
    status: 'IN_BOUNDS',
    violations: [],
    ...point,
  };
}

function drawn(chart: Partial<ControlChart> = {}): XmlElement {
  return parseXml(drawControlChart({ title: 'orders', points: [aPoint()], limits: LIMITS, ...chart }));
}

const ofClass = (root: XmlElement, name: string, className: string) =>
  elementsOf(root, name).filter(({ attributes }) => attributes.class === className);

const placesOf = (root: XmlElement) =>
  ofClass(root, 'g', 'point').map(({ attributes }) =>
    (/translate\(([\d.]+) ([\d.]+)\)/.exec(attributes.transform ?? '')?.slice(1) ?? []).map(Number),
  );

const textsOf = (root: XmlElement) => elementsOf(root, 'text').map(({ text }) => text);

describe('a control chart', () => {
  it('is an image with a title and a text description', () => {
    const chart = drawn({
      points: [
        aPoint({ capturedAt: '2026-11-21T04:10:00.000Z' }),
        aPoint({ value: 1040, status: 'OUT_OF_CONTROL', violations: ['NELSON_1', 'NELSON_5'] }),
      ],
    });
    expect(chart.attributes).toMatchObject({ role: 'img', 'aria-labelledby': 'chart-title chart-desc' });
    const [title, desc] = chart.children;
    expect([title?.attributes.id, title?.text]).toEqual(['chart-title', 'orders']);
    expect([desc?.attributes.id, desc?.text]).toEqual([
      'chart-desc',
      'The latest value, measured at 2026-11-22 04:10 UTC, is 1,040: out of control. ' +
        'The mean of the earlier points is 1,000. The 2-sigma limits are 980 and 1,020, and the 3-sigma limits are 970 and 1,030. ' +
        'The chart shows 2 points since 2026-11-21 04:10 UTC. ' +
        'Rules violated: N1 (beyond 3 sigma) at 1 point, N5 (2 of 3 beyond 2 sigma) at 1 point.',
    ]);
  });

  it('draws each point at its value, and on the line if it equals the mean or a limit', () => {
    const values = [1000, 1020, 980, 1030, 970];
    const chart = drawn({ points: values.map((value) => aPoint({ value })) });
    const heightsOf = (className: string) =>
      ofClass(chart, 'line', className).map(({ attributes }) => [Number(attributes.y1), Number(attributes.y2)]);
    const [mean, high, low, highest, lowest] = placesOf(chart).map(([, y = Number.NaN]) => [y, y]);
    expect(heightsOf('mean')).toEqual([mean]);
    expect(heightsOf('warning-line')).toEqual([high, low]);
    expect(heightsOf('control-line')).toEqual([highest, lowest]);
    const [band] = ofClass(chart, 'rect', 'band2').map(({ attributes }) => attributes);
    expect([Number(band?.y), Number(band?.y) + Number(band?.height)]).toEqual([
      high?.[0],
      expect.closeTo(low?.[0] ?? 0, 1),
    ]);
  });

  it('draws the limits around each point if they differ from point to point', () => {
    const narrow = { ...LIMITS, upperControl3Sigma: 1010 };
    const chart = drawn({
      points: [aPoint({ limits: LIMITS }), aPoint({ limits: narrow })],
      limits: narrow,
      chartType: 'P',
    });
    const [first, second] = placesOf(chart).map(([x]) => x ?? 0) as [number, number];
    const middle = (first + second) / 2;
    const upper = ofClass(chart, 'line', 'control-line')
      .map(({ attributes: { x1, x2, y1 } }) => [x1, x2, y1].map(Number))
      .filter((_, at) => at % 2 === 0);
    expect(upper.map(([from, to]) => [from === middle, to === middle])).toEqual([
      [false, true],
      [true, false],
    ]);
    expect(upper[0]?.[2]).toBeLessThan(upper[1]?.[2] ?? 0);
    expect(ofClass(chart, 'rect', 'band3').map(({ attributes }) => Number(attributes.x))).toEqual([
      upper[0]?.[0],
      middle,
    ]);
    expect(textsOf(chart)).toContain('+3σ 1,010');
    expect(textsOf(chart)).not.toContain('+3σ 1,030');
    expect(chart.children[1]?.text).toContain('The limits differ from point to point');
  });

  it('connects the points by a line, from left to right at equal distances', () => {
    const chart = drawn({ points: [990, 1010, 1000].map((value) => aPoint({ value })) });
    const places = placesOf(chart);
    const [line] = ofClass(chart, 'polyline', 'series');
    expect(line?.attributes.points?.split(' ').map((place) => place.split(',').map(Number))).toEqual(places);
    const [first = 0, second = 0, third = 0] = places.map(([x]) => x ?? 0);
    expect(second - first).toBeGreaterThan(100);
    expect(third - second).toBeCloseTo(second - first, 1);
  });

  it.each(Object.keys(SpcRule) as SpcRule[])(
    'marks %s with a shape and a label, and explains both in the legend',
    (rule) => {
      const chart = drawn({ points: [aPoint(), aPoint({ status: 'WARNING', violations: [rule] }), aPoint()] });
      const shapes = elementsOf(chart, 'polygon');
      const [label] = ofClass(chart, 'text', 'mark');
      expect(shapes.map(({ attributes }) => attributes.class)).toEqual(['warning', 'warning']);
      expect(shapes[0]?.attributes.points).toBe(shapes[1]?.attributes.points);
      expect(label?.text).toMatch(/^(N[1-8]|W4|ZV|2σ)$/);
      expect(textsOf(chart).filter((text) => text.startsWith(`${label?.text} `))).toHaveLength(1);
      expect(elementsOf(chart, 'circle')).toHaveLength(2);
    },
  );

  it('has a different shape for each rule', () => {
    const rules = Object.keys(SpcRule) as SpcRule[];
    const shapes = rules.map((rule) => drawMark({ status: 'WARNING', violations: [rule] }));
    expect(new Set(shapes).size).toBe(rules.length);
  });

  it('explains only marks that occur, and distinguishes points without enough history', () => {
    expect(textsOf(drawn()).some((text) => /^(N\d|not enough)/.test(text))).toBe(false);
    const chart = drawn({ points: [aPoint({ status: 'INSUFFICIENT_HISTORY' }), aPoint()] });
    expect(textsOf(chart)).toContain('not enough earlier points');
    expect(elementsOf(chart, 'circle').map(({ attributes }) => attributes.class)).toEqual([
      'dot undetermined',
      'dot',
      'dot undetermined',
    ]);
  });

  it('without points shows a message', () => {
    const chart = drawn({ points: [], limits: undefined });
    expect(textsOf(chart)).toContain('The series has no points yet.');
    expect(elementsOf(chart, 'desc')[0]?.text).toBe('The series has no points yet.');
  });

  it('without limits shows the points', () => {
    const chart = drawn({ limits: undefined, points: [aPoint({ status: 'INSUFFICIENT_HISTORY' })] });
    expect(placesOf(chart)).toHaveLength(1);
    expect(elementsOf(chart, 'desc')[0]?.text).toContain(
      'The series has no limits yet. The series has only this point.',
    );
    expect(ofClass(chart, 'line', 'mean')).toEqual([]);
  });

  it('shows the last 200 points', () => {
    const points = Array.from({ length: 201 }, (_, index) => aPoint({ runId: `run-${index}` }));
    const chart = drawn({ points });
    expect(placesOf(chart)).toHaveLength(200);
    expect(elementsOf(chart, 'title')[1]?.text).toContain('run-1:');
    expect(elementsOf(chart, 'desc')[0]?.text).toContain('200 points');
    expect(drawControlChart({ title: 'orders', points, limits: LIMITS }).length).toBeLessThan(100_000);
  });

  it('is deterministic', () => {
    const chart = { title: 'orders', points: [aPoint()], limits: LIMITS };
    expect(drawControlChart(chart)).toBe(drawControlChart(structuredClone(chart)));
  });
});

describe('untrusted text', () => {
  it.each([
    '</svg><script>alert(1)</script>',
    '"/><image href="https://example.com/x.png" onload="alert(1)"',
    ']]><!-- & -->&lt;',
    '\u0000\u0008\u001b[31m\u007f\u009f\ufffe\uffff\ud800',
    '\u202egnp.exe\u2066',
    `${'long '.repeat(1_000)}`,
    '😀'.repeat(1_000),
  ])('is escaped: %j', (name) => {
    const chart = drawn({ title: name, subtitle: name, points: [aPoint({ runId: name })] });
    const names = new Set(['title', 'desc', 'style', 'rect', 'text', 'line', 'polyline', 'g', 'circle', 'polygon']);
    for (const element of [...names].flatMap((known) => elementsOf(chart, known)))
      expect(element.children.every((child) => names.has(child.name))).toBe(true);
    expect(chart.children.every((child) => names.has(child.name))).toBe(true);
    expect(JSON.stringify(chart)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(JSON.stringify(chart).length).toBeLessThan(20_000);
  });

  it('is truncated if it is too long for its line', () => {
    const [drawnTitle = ''] = textsOf(drawn({ title: 'x'.repeat(150) }));
    expect(drawnTitle).toBe(`${'x'.repeat(89)}…`);
  });

  it('is safe in an attribute', () => {
    expect(escapeMarkup(`a"b'c`)).toBe('a&quot;b&#39;c');
  });

  it('is otherwise unchanged', () => {
    const chart = drawn({ title: 'a < b & "c"', subtitle: "rows\nof 'x'" });
    expect(textsOf(chart)).toEqual(expect.arrayContaining(['a < b & "c"', "rows of 'x'"]));
  });
});

describe('the axis', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });

  it.each([
    [
      [0, 100],
      ['0', '20', '40', '60', '80', '100', '120'],
    ],
    [
      [74.0102, 73.9956],
      ['73.995', '74.000', '74.005', '74.010', '74.015'],
    ],
    [
      [5_000_000, 5_000_000],
      ['4,400,000', '4,600,000', '4,800,000', '5,000,000', '5,200,000', '5,400,000', '5,600,000'],
    ],
  ])('for %j has round ticks', (values, labels) => {
    expect(createChartScale(values).ticks.map(({ label }) => label)).toEqual(
      expect.arrayContaining(labels.slice(1, -1)),
    );
  });

  it('for values that differ in the last bit has different ticks', () => {
    const labels = createChartScale([1, 1 + Number.EPSILON]).ticks.map(({ label }) => label);
    expect(labels.length).toBeGreaterThanOrEqual(2);
    expect(new Set(labels).size).toBe(labels.length);
  });

  it('covers all values, with a few ascending ticks that have unique labels', () => {
    fc.assert(
      fc.property(fc.array(number, { maxLength: 20 }), (values) => {
        const { ticks, shareOf } = createChartScale(values);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(10);
        expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
        expect(ticks.every(({ value }, index) => index === 0 || value > (ticks[index - 1]?.value ?? value))).toBe(true);
        for (const value of values) {
          expect(shareOf(value)).toBeGreaterThanOrEqual(0);
          expect(shareOf(value)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('has finite coordinates for all numbers', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 5 }), (values) => {
        const [value = 0] = values;
        const limits = { ...LIMITS, mean: value, upperControl3Sigma: Number.MAX_VALUE };
        const text = drawControlChart({ title: 'x', points: values.map((value) => aPoint({ value })), limits });
        expect(text).not.toMatch(/NaN|Infinity|undefined/);
      }),
    );
  });
});

describe('colours', () => {
  it.each([
    ['light', LIGHT_PALETTE],
    ['dark', DARK_PALETTE],
  ])('of a %s chart have sufficient contrast to their background', (_, palette) => {
    for (const text of [palette.ink, palette.muted]) expect(contrast(text, palette.paper)).toBeGreaterThanOrEqual(4.5);
    for (const behind of [palette.paper, palette.band2, palette.band3]) {
      expect(contrast(palette.ink, behind)).toBeGreaterThanOrEqual(4.5);
      for (const shape of [palette.series, palette.muted, palette.warning, palette.control])
        expect(contrast(shape, behind)).toBeGreaterThanOrEqual(3);
    }
    expect(drawControlChart({ title: 'orders', points: [] })).toContain(`--ink:${palette.ink}`);
  });
});

/** Contrast ratio according to WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
