/** SQL conversions, by the prefix of the DuckDB type name. */
const CONVERSIONS: readonly [type: string, sql: (column: string) => string][] = [
  // DuckDB omits the 0 before the decimal point if the type has no integer digits.
  ['DECIMAL(38,38)', (column) => `regexp_replace(cast(${column} as VARCHAR), '^(-?)\\.', '\\10.')`],
  ['DECIMAL', (column) => `cast(${column} as VARCHAR)`],
  ['DATE', (column) => `cast(${column} as VARCHAR)`],
  ['TIMESTAMP WITH TIME ZONE', (column) => `${timestampSql(`make_timestamp(epoch_us(${column}))`)} || 'Z'`],
  ['TIMESTAMP', timestampSql],
];

/**
 * Returns SQL that converts a column to its JSON representation. Decimals become strings, and times become ISO 8601
 * strings. `type` is the result of DuckDB's `describe`.
 */
export function columnJsonSql(column: string, type: string): string {
  const [, convert] = CONVERSIONS.find(([beginning]) => type.startsWith(beginning)) ?? [];
  return convert ? convert(column) : column;
}

/** Formats a time with milliseconds, like all times of the service. Only values with microseconds keep 6 decimals. */
function timestampSql(column: string): string {
  return `regexp_replace(strftime(${column}, '%Y-%m-%dT%H:%M:%S.%f'), '000$', '')`;
}
