import { type DuckDb, duckDbFaultOf, sqlText } from '../tables/duckdb.js';

/** What DuckDB throws of an expression that RE2 does not take, and of a text that ends amid a statement. */
const ABOUT_A_TEXT: ReadonlySet<string> = new Set(['Invalid Input', 'Parser']);

/** Those that RE2 does not know. Each is tried by itself: one in a statement about rows would take all else in it down. Throws `StoringFailed`, and the reason of the signal. */
export async function faultyPatterns(
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
        if (!ABOUT_A_TEXT.has(duckDbFaultOf(error) ?? '')) throw error;
        faulty.add(pattern);
      });
    }
  }, signal);
  return faulty;
}
