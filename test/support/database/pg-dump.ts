import pg from 'pg';

interface Table {
  readonly schema: string;
  readonly name: string;
}

const AS_TEXT = { getTypeParser: () => String };
const BYTES = /^\\x((?:[0-9a-f]{2})*)$/;

/**
 * Returns all rows of all tables and materialized views in the text format of `pg_dump --data-only`, with `bytea`
 * values both as hexadecimal and as raw bytes. Uses queries, because the embedded PostgreSQL has no `pg_dump`, and an
 * installed `pg_dump` may be older than the server. Throws if row level security would hide rows.
 */
export async function pgDump(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query("set local bytea_output = 'hex'");
    await client.query('set local row_security = off');
    const lines: string[] = [];
    for (const table of await tablesOf(client)) lines.push(...(await rowsOf(client, table)));
    return lines.join('\n');
  } finally {
    await client.end();
  }
}

async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname !~ '^pg_(catalog|toast|temp)' and n.nspname <> 'information_schema'
     order by 1, 2`,
  );
  return rows;
}

async function rowsOf(client: pg.Client, { schema, name }: Table): Promise<string[]> {
  const table = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
  const text = `select * from only ${table}`;
  const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array', types: AS_TEXT });
  return rows.map((row) => [`${schema}.${name}`, ...row.flatMap(written)].join('\t'));
}

function written(value: string | null): string[] {
  const [, hex] = BYTES.exec(value ?? '') ?? [];
  return [value ?? '', ...(hex ? [Buffer.from(hex, 'hex').toString('latin1')] : [])];
}
