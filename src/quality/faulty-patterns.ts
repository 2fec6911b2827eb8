import { type DuckDb, sqlText } from '../tables/duckdb.js';

/** Those that RE2 does not know. Each is tried by itself: one in a statement about rows would take all else in it down. Throws `StoringFailed`. */
export async function faultyPatterns(duckdb: DuckDb, patterns: readonly string[]): Promise<Set<string>> {
  const faulty = new Set<string>();
  if (patterns.length === 0) return faulty;
  await duckdb.connect(async (connection) => {
    for (const pattern of new Set(patterns))
      await connection.run(`select regexp_full_match('', ${sqlText(pattern)})`).catch(() => faulty.add(pattern));
  });
  return faulty;
}
