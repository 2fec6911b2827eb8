import { formatTarget } from '../support/format-target.js';
import type { LoadFigures } from '../support/measure-load.js';

export type ReadVariant = 'cached' | 'compressed' | 'uncached';

export interface ReportLine extends Omit<LoadFigures, 'threadMicros'> {
  readonly name: string;
  /** CPU time per request in microseconds. Undefined for a server in another process. */
  readonly threadMicros: number | undefined;
  /** Undefined for a baseline. */
  readonly variant?: ReadVariant | 'graphql';
  readonly toKoa?: number | undefined;
  readonly toStatement?: number | undefined;
  readonly toPostgraphile?: number | undefined;
}

const WIDTHS = [56, 10, 9, 9, 10, 14, 19, 17];

export function reportHeader(): string {
  return cells(['', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'to bare Koa', 'to one statement', 'to PostGraphile']);
}

export function formatReportLine(line: ReportLine): string {
  const { name, perSecond, p50, p99, threadMicros, toKoa, toStatement, toPostgraphile } = line;
  const ratio = (value: number | undefined): string => value?.toFixed(2) ?? '-';
  const ratios = [toKoa, toStatement, toPostgraphile].map(ratio);
  return cells([
    name,
    perSecond.toFixed(1),
    p50.toFixed(1),
    p99.toFixed(1),
    threadMicros?.toFixed(0) ?? '-',
    ...ratios,
  ]);
}

function cells(texts: readonly string[]): string {
  return texts
    .map((text, i) => (i === 0 ? text.padEnd(WIDTHS[0] as number) : text.padStart(WIDTHS[i] as number)))
    .join('');
}

const TARGETS = [
  {
    variant: 'cached',
    ratio: 'toKoa',
    minimum: 0.8,
    label: 'REST serves at least 0.80 times as many requests per second as bare Koa with the same bytes',
  },
  {
    variant: 'compressed',
    ratio: 'toKoa',
    minimum: 0.8,
    label:
      'compressed REST serves at least 0.80 times as many requests per second as bare Koa with the uncompressed bytes',
  },
  {
    variant: 'uncached',
    ratio: 'toStatement',
    minimum: 0.65,
    label:
      'REST without cache serves at least 0.65 times as many requests per second as bare Koa with one SQL statement',
  },
  {
    variant: 'graphql',
    ratio: 'toPostgraphile',
    minimum: 1,
    label: 'a nested query over GraphQL without cache is at least as fast as PostGraphile',
  },
] as const;

export function compareToTargets(lines: readonly ReportLine[]): string[] {
  return TARGETS.map(({ variant, ratio, minimum, label }) => {
    const [worst] = lines.filter((line) => line.variant === variant).sort((a, b) => (a[ratio] ?? 0) - (b[ratio] ?? 0));
    const met = (worst?.[ratio] ?? 0) >= minimum;
    return formatTarget(met, `${label} (lowest: ${worst?.[ratio]?.toFixed(2)}, ${worst?.name})`);
  });
}
