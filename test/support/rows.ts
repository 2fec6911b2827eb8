import pg from 'pg';

// biome-ignore lint/suspicious/noExplicitAny: tests look into any row
type Row = Record<string, any>;

/** What a statement of the tables' owner finds or changes: row level security does not hold for it. */
export async function rowsOf(service: { databaseUrl: string }, text: string, values?: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  return client
    .query(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}
