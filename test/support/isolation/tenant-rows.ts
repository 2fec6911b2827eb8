import pg from 'pg';
import { encodeId } from '../../../src/kernel/ids.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/;

/** Shorter strings may occur in a response by chance. */
const MIN_DISTINCTIVE_LENGTH = 8;

/** Reads rows of workspaces as a superuser, without row level security. */
export interface TenantRows {
  readonly tables: readonly string[];
  idOf(slug: string): Promise<string>;
  ids(table: string, tenantId: string, condition?: string): Promise<string[]>;
  /** Returns digests by table and workspace, including the row of the workspace itself. */
  digests(...tenantIds: readonly string[]): Promise<Record<string, string>>;
  /**
   * Returns all ids, times and strings of at least 8 characters in the rows of a workspace, in all formats that a
   * response could use.
   */
  texts(tenantId: string): Promise<Set<string>>;
  /** Returns `table.column` of each text column in which no value of the workspace contains `mark`. */
  unmarked(tenantId: string, mark: string): Promise<string[]>;
  run(statement: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function tenantRows(databaseUrl: string): Promise<TenantRows> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("set timezone = 'UTC'");
  const run: TenantRows['run'] = async (statement, values) => (await client.query(statement, values)).rows;
  const columns = (await run(
    `select table_name as "table", column_name as "column", data_type as type from information_schema.columns
     where table_schema = 'public' order by 1, 2`,
  )) as { table: string; column: string; type: string }[];
  const tables = columns.filter(({ column }) => column === 'tenant_id').map(({ table }) => table);
  const owned = [...tables.map((table) => [table, 'tenant_id']), ['workspace', 'id']] as [string, string][];

  const rowsOf = async (table: string, column: string, tenantId: string): Promise<object[]> => {
    const rows = await run(`select to_jsonb(t) as row from "${table}" t where ${column}::text = $1 order by id`, [
      tenantId,
    ]);
    return rows.map(({ row }) => row as object);
  };

  // `ctid` and `xmin` identify each version of a row. Reading the whole rows would take 5 times as long.
  const digestRows = owned
    .map(
      ([table, column]) =>
        `select '${table} ' || ${column} as name, count(*) || ' ' || md5(string_agg(ctid || ' ' || xmin, '|' order by id)) as digest
         from "${table}" where ${column} = any($1) group by ${column}`,
    )
    .join(' union all ');

  return {
    tables,
    run,
    idOf: async (slug) => (await run('select id from workspace where slug = $1', [slug]))[0]?.id as string,
    async ids(table, tenantId, condition = 'true') {
      const found = await run(`select id from "${table}" where tenant_id = $1 and (${condition})`, [tenantId]);
      return found.map(({ id }) => encodeId(id as string));
    },
    async digests(...tenantIds) {
      // PostgreSQL plans a prepared statement once instead of a thousand times.
      const { rows } = await client.query({ name: 'digests', text: digestRows, values: [tenantIds] });
      return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
    },
    async texts(tenantId) {
      const rows: object[] = [];
      for (const [table, column] of owned) rows.push(...(await rowsOf(table, column, tenantId)));
      return new Set(rows.flatMap(leavesOf).flatMap(spellingsOf));
    },
    async unmarked(tenantId, mark) {
      const texts = columns.filter(({ table, type }) => tables.includes(table) && /text|json|char/.test(type));
      const unmarked: string[] = [];
      for (const { table, column } of texts) {
        const sql = `select 1 from "${table}" where tenant_id = $1 and "${column}"::text ilike $2 limit 1`;
        if (!(await run(sql, [tenantId, `%${mark}%`])).length) unmarked.push(`${table}.${column}`);
      }
      return unmarked;
    },
    close: () => client.end(),
  };
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

function spellingsOf(text: string): string[] {
  if (UUID.test(text)) return [text, encodeId(text)];
  if (TIME.test(text)) return [new Date(text).toISOString()];
  return text.length < MIN_DISTINCTIVE_LENGTH ? [] : [text];
}
