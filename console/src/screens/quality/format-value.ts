import { formatBytes } from '../../ui/format-bytes.js';

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 5 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 3 });

export function formatNumber(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en') : number.format(value);
}

export function formatPercent(value: number): string {
  return percent.format(value);
}

const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
];

/** Formats seconds with at most two units, such as "1 d 6 h". */
export function formatSeconds(value: number): string {
  const at = UNITS.findIndex(([, length]) => Math.abs(value) >= length);
  const unit = UNITS[at];
  if (!unit) return `${number.format(value)} s`;
  const [name, length] = unit;
  const whole = Math.trunc(value / length);
  const [nextName, nextLength] = UNITS[at + 1] ?? ['s', 1];
  const rest = Math.round(Math.abs(value - whole * length) / nextLength);
  return rest > 0 && rest * nextLength < length ? `${whole} ${name} ${rest} ${nextName}` : `${whole} ${name}`;
}

export function formatSeriesValue(kind: string, value: number): string {
  if (kind === 'COLUMN_NULL_RATE') return formatPercent(value);
  if (kind === 'TABLE_BYTES') return value < 0 ? `−${formatBytes(-value)}` : formatBytes(value);
  return kind === 'TABLE_FRESHNESS_SECONDS' ? formatSeconds(value) : formatNumber(value);
}

/** The check id starts with the name of the check. */
export function formatCheckValue(checkId: string, value: number): string {
  const [name = ''] = checkId.split(':', 1);
  if (name === 'freshness') return formatSeconds(value);
  return SHARES.has(name) ? formatPercent(value) : formatNumber(value);
}

const SHARES = new Set([
  'parse_failures',
  'null_rate',
  'duplicate_rate',
  'row_count_delta',
  'accepted_values',
  'range',
  'pattern',
  'deletion_rate',
  'missing_rate',
  'future_timestamp',
  'distinct_drop',
]);
