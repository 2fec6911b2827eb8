import { formatNumber } from '../spc/format-number.js';
import { drawMark, formatRuleLabels, ruleMarkOf, violatedRules } from './chart-marks.js';
import { CHART_STYLE } from './chart-style.js';
import { estimateTextWidth, formatChartText, formatChartTime } from './chart-text.js';
import type { ChartPoint, ControlChart } from './control-chart.js';
import { describeChart, describeStatus } from './describe-chart.js';
import { drawBands, drawLimits } from './draw-limits.js';
import { placeLabels } from './place-labels.js';
import { BOTTOM, EDGE, formatPixels, type Plot, plotOf, WIDTH } from './plot.js';

const MAX_POINTS = 200;
const LEGEND_TOP = BOTTOM + 62;
const LEGEND_ROW = 22;
const LEGEND_COLUMNS = 3;
const MAX_TIME_LABELS = 6;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Draws at most the last 200 points. The SVG contains no scripts, fonts or external images. */
export function drawControlChart(chart: ControlChart): string {
  const shown = { ...chart, points: chart.points.slice(-MAX_POINTS) };
  const plot = plotOf(shown);
  const legend = drawLegend(shown.points);
  const height = LEGEND_TOP + legend.rows * LEGEND_ROW + EDGE / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="chart-title chart-desc">`,
    `<title id="chart-title">${formatChartText(chart.title, 200)}</title>`,
    `<desc id="chart-desc">${formatChartText(describeChart(shown), 2_000)}</desc>`,
    `<style>${CHART_STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    `<text class="title" x="${EDGE}" y="34">${formatChartText(chart.title, 90)}</text>`,
    `<text class="muted" x="${EDGE}" y="55">${formatChartText(chart.subtitle ?? '', 130)}</text>`,
    ...drawBands(shown, plot),
    ...(shown.points.length === 0 ? [] : drawAxes(shown.points, plot)),
    ...drawLimits(shown, plot),
    ...(shown.points.length === 0 ? [drawEmptyMessage(plot)] : drawPoints(shown.points, plot)),
    ...legend.parts,
    '</svg>',
    '',
  ].join('\n');
}

function drawAxes(points: readonly ChartPoint[], { scale, left, right, bottom, xOf, yOf }: Plot): string[] {
  const values = scale.ticks.flatMap(({ value, label }) => [
    `<line class="grid" x1="${formatPixels(left)}" x2="${formatPixels(right)}" y1="${yOf(value)}" y2="${yOf(value)}"/>`,
    `<text class="muted" text-anchor="end" x="${formatPixels(left - 8)}" y="${formatPixels(Number(yOf(value)) + 4)}">${label}</text>`,
  ]);
  const times = timeLabelsOf(points).flatMap(({ index, label }) => [
    `<line class="grid" x1="${xOf(index)}" x2="${xOf(index)}" y1="${bottom}" y2="${bottom + 6}"/>`,
    `<text class="muted" text-anchor="middle" x="${xOf(index)}" y="${bottom + 20}">${label}</text>`,
  ]);
  const name = `<text class="muted" text-anchor="middle" x="${formatPixels((left + right) / 2)}" y="${bottom + 40}">Runs, oldest first (times in UTC)</text>`;
  return [...values, ...times, name];
}

/** The distance between two points does not depend on their times, so each label shows the time of its own point. */
function timeLabelsOf(points: readonly ChartPoint[]): { index: number; label: string }[] {
  const times = points.map(({ capturedAt }) => new Date(capturedAt));
  const span = Number(times.at(-1) ?? 0) - Number(times[0] ?? 0);
  const [from, to] = span > 2 * DAY_MS ? [0, 10] : [5, 16];
  const count = Math.min(MAX_TIME_LABELS, points.length);
  const indexes = Array.from({ length: count }, (_, tick) =>
    Math.round((tick * (points.length - 1)) / Math.max(1, count - 1)),
  );
  return indexes.map((index) => ({
    index,
    label: (times[index] ?? new Date(0)).toISOString().slice(from, to).replace('T', ' '),
  }));
}

function drawPoints(points: readonly ChartPoint[], plot: Plot): string[] {
  const { xOf, yOf } = plot;
  const path = points.map(({ value }, index) => `${xOf(index)},${yOf(value)}`).join(' ');
  return [
    `<polyline class="series" points="${path}"/>`,
    ...points.map((point, index) => {
      const rules = formatRuleLabels(point);
      const words = `${formatChartTime(point.capturedAt)}, run ${formatChartText(point.runId, 64)}: ${formatNumber(point.value)}, ${describeStatus(point.status)}`;
      return `<g class="point" transform="translate(${xOf(index)} ${yOf(point.value)})"><title>${words}${rules === '' ? '' : ` (${rules})`}</title>${drawMark(point)}</g>`;
    }),
    ...drawLabels(points, plot),
  ];
}

/** `placeLabels` omits labels that have no space, so the labels of the worst and latest points come first. */
function drawLabels(points: readonly ChartPoint[], plot: Plot): string[] {
  const labels = points.map((point, index) => {
    const text = formatRuleLabels(point);
    const isWorst = point.status === 'OUT_OF_CONTROL';
    return {
      text,
      isWorst,
      x: Number(plot.xOf(index)),
      y: Number(plot.yOf(point.value)),
      width: estimateTextWidth(text),
    };
  });
  const marked = labels.filter(({ text }) => text !== '').toReversed();
  const byPriority = [...marked.filter(({ isWorst }) => isWorst), ...marked.filter(({ isWorst }) => !isWorst)];
  return placeLabels(byPriority, plot).map(
    ({ label, x, y }) =>
      `<text class="mark" text-anchor="middle" x="${formatPixels(x)}" y="${formatPixels(y)}">${label.text}</text>`,
  );
}

function drawEmptyMessage({ left, right, top, bottom }: Plot): string {
  return `<text text-anchor="middle" x="${formatPixels((left + right) / 2)}" y="${(top + bottom) / 2}">The series has no points yet.</text>`;
}

function drawLegend(points: readonly ChartPoint[]): { rows: number; parts: string[] } {
  const rules = violatedRules(points).map((rule) => {
    const status = points.find((point) => violatedRules([point])[0] === rule)?.status ?? 'WARNING';
    const { label, meaning } = ruleMarkOf(rule);
    return { mark: drawMark({ status, violations: [rule] }), text: `${label} ${meaning}` };
  });
  const undetermined = {
    mark: drawMark({ status: 'INSUFFICIENT_HISTORY', violations: [] }),
    text: 'not enough earlier points',
  };
  const hasUndetermined = points.some(({ status }) => status === 'INSUFFICIENT_HISTORY');
  const entries = hasUndetermined ? [...rules, undetermined] : rules;
  const parts = entries.map(({ mark, text }, index) => {
    const x = EDGE + 8 + (index % LEGEND_COLUMNS) * ((WIDTH - 2 * EDGE) / LEGEND_COLUMNS);
    const y = LEGEND_TOP + Math.floor(index / LEGEND_COLUMNS) * LEGEND_ROW;
    return `<g transform="translate(${x} ${y})">${mark}<text x="14" y="4">${text}</text></g>`;
  });
  return { rows: Math.ceil(entries.length / LEGEND_COLUMNS), parts };
}
