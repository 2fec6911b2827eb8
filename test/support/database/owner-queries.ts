import { withOwnerSession } from './owner-sessions.js';

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary rows
type Row = Record<string, any>;

/** Queries as a superuser, without row level security. */
export function queryAsOwner(
  { databaseUrl }: { databaseUrl: string },
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  return withOwnerSession(databaseUrl, async (client) => (await client.query(text, values)).rows);
}

/** `pg_locks` lists the locks of all test files, because they share the server. */
export const IN_THIS_DATABASE = 'database = (select oid from pg_database where datname = current_database())';

/** Searches all columns of all tables, including the job tables. `%` and `_` in `needle` are wildcards. */
export async function tablesHolding(service: { databaseUrl: string }, needle: string): Promise<string[]> {
  const tables = await queryAsOwner(
    service,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  if (tables.length < 10) throw new Error('expected at least 10 tables');
  const found = tables.map(async ({ name }) => {
    const rows = await queryAsOwner(service, `select 1 from ${name} as one where one::text like $1`, [`%${needle}%`]);
    return rows.length ? [name as string] : [];
  });
  return (await Promise.all(found)).flat().sort();
}
