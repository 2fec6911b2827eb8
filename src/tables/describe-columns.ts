import type { DuckDBConnection } from '@duckdb/node-api';

export async function describeColumns(
  connection: DuckDBConnection,
  query: string,
): Promise<{ name: string; type: string }[]> {
  const described = await connection.runAndReadAll(`describe ${query}`);
  return described.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
}
