import { type DuckDb, duckDbErrorKind, sqlText } from '../../tables/duckdb.js';

/** What DuckDB throws of an expression that RE2 does not take, and of a text that ends amid a statement. */
const PATTERN_FAULTS: ReadonlySet<string> = new Set(['Invalid Input', 'Parser']);

/** Those that RE2 does not know. Each is tried by itself: one in a statement about rows would take all else in it down. Throws `FileStoreError`, and the reason of the signal. */
export async function findInvalidPatterns(
  duckdb: DuckDb,
  patterns: readonly string[],
  signal?: AbortSignal,
): Promise<Set<string>> {
  const faulty = new Set<string>();
  if (patterns.length === 0) return faulty;
  await duckdb.connect(async (connection) => {
    for (const pattern of new Set(patterns)) {
      signal?.throwIfAborted();
      await connection.run(`select regexp_full_match('', ${sqlText(pattern)})`).catch((error: unknown) => {
        if (!PATTERN_FAULTS.has(duckDbErrorKind(error) ?? '')) throw error;
        faulty.add(pattern);
      });
    }
  }, signal);
  return faulty;
}
