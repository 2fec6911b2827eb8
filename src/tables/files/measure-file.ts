import { stat } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../duckdb.js';
import { RECORD_COLUMNS } from '../table-schema.js';
import type { KeyRange, WrittenFile } from '../written-file.js';

/**
 * Maximum length of a key in a key range. If the smallest or largest key of a file is longer, the key range of the
 * file is unknown. The same applies if one of these keys contains a NUL, because PostgreSQL cannot store NUL.
 */
const MAX_KEY_CHARACTERS = 256;
const ANY_KEY: KeyRange = { first: '', last: undefined };
/** Key range of a file whose rows have no keys. The empty string can mark this case, because a key is never empty. */
const NO_KEY: KeyRange = { first: '', last: '' };

type FileMeasures = Pick<WrittenFile, 'bytes' | 'firstReceivedAt' | 'lastReceivedAt' | 'keys'>;

/**
 * Measures a Parquet file, which must have at least one row. `isKeyed` means that the file has the columns
 * `RECORD_COLUMNS`.
 */
export async function measureFile(connection: DuckDBConnection, path: string, isKeyed: boolean): Promise<FileMeasures> {
  const [key] = RECORD_COLUMNS;
  const keys = isKeyed ? `, min(${key}) as "firstKey", max(${key}) as "lastKey"` : '';
  const sql = `select min(_received_at) as first, max(_received_at) as last${keys} from read_parquet(${sqlText(path)})`;
  const [span] = (await connection.runAndReadAll(sql)).getRowObjectsJS();
  const { size } = await stat(path);
  return {
    ...{ bytes: size, firstReceivedAt: span?.first as Date, lastReceivedAt: span?.last as Date },
    ...(isKeyed && { keys: keyRangeOf(span?.firstKey as string | null, span?.lastKey as string | null) }),
  };
}

function keyRangeOf(first: string | null, last: string | null): KeyRange {
  if (first === null || last === null) return NO_KEY;
  const isStorable = [first, last].every((key) => key.length <= MAX_KEY_CHARACTERS && !key.includes('\0'));
  return isStorable ? { first, last } : ANY_KEY;
}

/** Returns a range that contains all given ranges, or undefined if a file lacks the columns `RECORD_COLUMNS`. */
export function commonKeyRange(ranges: readonly (KeyRange | undefined)[]): KeyRange | undefined {
  const known = ranges.filter((range) => range !== undefined);
  if (known.length < ranges.length) return undefined;
  const used = known.filter(hasKeys);
  const lasts = used.flatMap(({ last }) => last ?? []);
  if (lasts.length < used.length) return ANY_KEY;
  return used.length === 0
    ? NO_KEY
    : { first: used.map(({ first }) => first).reduce(smaller), last: lasts.reduce(larger) };
}

export function hasKeys({ last }: KeyRange): boolean {
  return last !== NO_KEY.last;
}

function smaller(one: string, other: string): string {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) <= 0 ? one : other;
}

function larger(one: string, other: string): string {
  return smaller(one, other) === one ? other : one;
}
