import { stat } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../duckdb.js';
import { RECORD_COLUMNS } from '../table-schema.js';
import type { KeyRange, WrittenFile } from '../written-file.js';

/** Longer keys, and keys with NUL, which PostgreSQL cannot store, make the range of a file unknown. */
const MAX_KEY_CHARACTERS = 256;
const ANY_KEY: KeyRange = { first: '', last: undefined };

type FileMeasures = Pick<WrittenFile, 'bytes' | 'firstReceivedAt' | 'lastReceivedAt' | 'keys'>;

/** Measures a Parquet file that has rows. */
export async function measureFile(connection: DuckDBConnection, path: string, hasKeys: boolean): Promise<FileMeasures> {
  const [key] = RECORD_COLUMNS;
  const keys = hasKeys ? `, min(${key}) as "firstKey", max(${key}) as "lastKey"` : '';
  const sql = `select min(_received_at) as first, max(_received_at) as last${keys} from read_parquet(${sqlText(path)})`;
  const [span] = (await connection.runAndReadAll(sql)).getRowObjectsJS();
  const { size } = await stat(path);
  return {
    ...{ bytes: size, firstReceivedAt: span?.first as Date, lastReceivedAt: span?.last as Date },
    keys: keyRangeOf(span?.firstKey as string | null | undefined, span?.lastKey as string | null | undefined),
  };
}

function keyRangeOf(first: string | null | undefined, last: string | null | undefined): KeyRange | undefined {
  if (first == null || last == null) return undefined;
  const isStorable = [first, last].every((key) => key.length <= MAX_KEY_CHARACTERS && !key.includes('\0'));
  return isStorable ? { first, last } : ANY_KEY;
}

/** A range that contains those of all files. */
export function commonKeyRange(ranges: readonly (KeyRange | undefined)[]): KeyRange | undefined {
  const known = ranges.filter((range) => range !== undefined);
  if (known.length === 0) return undefined;
  const lasts = known.flatMap(({ last }) => last ?? []);
  if (lasts.length < known.length) return ANY_KEY;
  return { first: known.map(({ first }) => first).reduce(smaller), last: lasts.reduce(larger) };
}

function smaller(one: string, other: string): string {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) <= 0 ? one : other;
}

function larger(one: string, other: string): string {
  return smaller(one, other) === one ? other : one;
}
