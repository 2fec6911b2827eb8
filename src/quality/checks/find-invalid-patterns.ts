import { type DuckDb, duckDbErrorKind, sqlText } from '../../tables/duckdb.js';

/**
 * DuckDB errors of these kinds mean that RE2 rejects the pattern, or that a NUL in the pattern ends the statement
 * early.
 */
const PATTERN_FAULTS: ReadonlySet<string> = new Set(['Invalid Input', 'Parser']);

/**
 * Tests each pattern in its own statement, because an invalid pattern would fail the statement that scans the rows.
 * Throws `FileStoreError` and the abort reason of the signal.
 */
export async function findInvalidPatterns(
  duckdb: DuckDb,
  patterns: readonly string[],
  signal?: AbortSignal,
): Promise<Set<string>> {
  const invalid = new Set<string>();
  if (patterns.length === 0) return invalid;
  await duckdb.connect(async (connection) => {
    for (const pattern of new Set(patterns)) {
      signal?.throwIfAborted();
      await connection.run(`select regexp_full_match('', ${sqlText(pattern)})`).catch((error: unknown) => {
        if (!PATTERN_FAULTS.has(duckDbErrorKind(error) ?? '')) throw error;
        invalid.add(pattern);
      });
    }
  }, signal);
  return invalid;
}
