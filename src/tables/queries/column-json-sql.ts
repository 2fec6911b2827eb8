/** By the beginning of the type; others are what they are. */
const CONVERSIONS: readonly [type: string, sql: (column: string) => string][] = [
  // DuckDB writes no 0 before the point where no digit may stand there.
  ['DECIMAL(38,38)', (column) => `regexp_replace(cast(${column} as VARCHAR), '^(-?)\\.', '\\10.')`],
  ['DECIMAL', (column) => `cast(${column} as VARCHAR)`],
  ['DATE', (column) => `cast(${column} as VARCHAR)`],
  ['TIMESTAMP WITH TIME ZONE', (column) => `${timestampSql(`make_timestamp(epoch_us(${column}))`)} || 'Z'`],
  ['TIMESTAMP', timestampSql],
];

/** SQL for the values of a column, as JSON has them: decimals and times are texts, these in ISO 8601. The type is spelled as DuckDB describes it. */
export function columnJsonSql(column: string, type: string): string {
  const [, spelling] = CONVERSIONS.find(([beginning]) => type.startsWith(beginning)) ?? [];
  return spelling ? spelling(column) : column;
}

/** To the millisecond, as all times of the service, or to the microsecond where there are such. */
function timestampSql(column: string): string {
  return `regexp_replace(strftime(${column}, '%Y-%m-%dT%H:%M:%S.%f'), '000$', '')`;
}
