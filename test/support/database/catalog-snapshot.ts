import type pg from 'pg';

export type SnapshotRow = Record<string, unknown>;

export interface SnapshotTable {
  table: string;
  rows: SnapshotRow[];
}

export async function catalogTables(client: pg.Client): Promise<string[]> {
  const statement = `select tablename from pg_tables where schemaname = 'public' and not rowsecurity order by 1`;
  const { rows } = await client.query<{ tablename: string }>(statement);
  return rows.map(({ tablename }) => tablename).filter((name) => name !== 'mikro_orm_migrations');
}

export class CatalogSnapshot {
  constructor(
    private readonly client: pg.Client,
    private readonly tables: readonly string[],
  ) {}

  async sql(statement: string, values: unknown[] = []): Promise<SnapshotRow[]> {
    return (await this.client.query(statement, values)).rows;
  }

  rows(table: string): Promise<SnapshotRow[]> {
    return this.sql(`select * from ${table}`);
  }

  async column(table: string, name: string, order = 'id'): Promise<unknown[]> {
    return (await this.sql(`select ${name} as value from ${table} order by ${order}`)).map(({ value }) => value);
  }

  /** Omits ids, timestamps and generated slugs, so that two loads of the same definition yield equal rows. */
  meaning(slug: string): Promise<SnapshotRow[]> {
    const own = `array['id', 'slug', 'vendor_id', 'parent_id', 'connector_id', 'created_at', 'updated_at']`;
    const tables = ['connector_auth_strategy', 'inbound_auth_strategy', 'connector_tap'].map(
      (table) => `select '${table}', c.definition_key, null, to_jsonb(t) - ${own}
        from ${table} t join connector c on c.id = t.connector_id join v on v.id = c.vendor_id`,
    );
    return this.sql(
      `with v as (select * from platform_vendor where slug = $1)
        select 'vendor' as what, null as connector, null as parent, to_jsonb(v) - ${own} as is from v
        union all select 'connector', null, null, to_jsonb(c) - ${own} from connector c join v on v.id = c.vendor_id
        union all select 'grouping', c.definition_key, p.grouping_path, to_jsonb(g) - ${own}
          from platform_vendor_grouping g join v on v.id = g.vendor_id
          left join connector c on c.id = g.connector_id left join platform_vendor_grouping p on p.id = g.parent_id
        union all ${tables.join(' union all ')} order by 1, 2, 3, 4`,
      [slug],
    );
  }

  /** Returns all rows with `xmin` and `ctid`. Two results are equal only if no transaction wrote a row in between. */
  async contents(): Promise<SnapshotTable[]> {
    const all: SnapshotTable[] = [];
    for (const table of this.tables)
      all.push({ table, rows: await this.sql(`select xmin, ctid, * from ${table} order by ctid`) });
    return all;
  }

  /** The natural key, id and slug of each row. Clients and other tables refer to these ids and slugs. */
  identities(): Promise<SnapshotRow[]> {
    return this.sql(`
      select 'vendor ' || slug as what, id, null as slug from platform_vendor
      union all select 'grouping ' || grouping_path, id, null from platform_vendor_grouping
      union all select 'connector ' || definition_key, id, slug from connector
      union all select concat('strategy ', s.definition_key, ' of ', c.definition_key), s.id, null from connector_auth_strategy s join connector c on c.id = s.connector_id
      union all select concat('inbound ', s.definition_key, ' of ', c.definition_key), s.id, null from inbound_auth_strategy s join connector c on c.id = s.connector_id
      union all select concat('tap ', t.name, ' of ', c.definition_key), t.id, null from connector_tap t join connector c on c.id = t.connector_id
      order by 1`);
  }

  /** Returns one digest per table. A digest covers the rows of the vendor and the transactions that wrote them. */
  rowsOf(slug: string): Promise<SnapshotRow[]> {
    const tables = ['connector_auth_strategy', 'inbound_auth_strategy', 'connector_tap'];
    const digest = (table: string, condition: string): string =>
      `select '${table}' as table, count(*), md5(string_agg(concat(t.xmin, t.ctid, t), '|' order by t.id)) from ${table} t where ${condition}`;
    return this.sql(
      [
        digest('platform_vendor', 't.slug = $1'),
        ...['platform_vendor_grouping', 'connector'].map((table) =>
          digest(table, 't.vendor_id = (select id from platform_vendor where slug = $1)'),
        ),
        ...tables.map((table) =>
          digest(
            table,
            't.connector_id in (select c.id from connector c join platform_vendor v on v.id = c.vendor_id where v.slug = $1)',
          ),
        ),
      ].join(' union all '),
      [slug],
    );
  }

  /** Returns the names of the non-null columns of one row. */
  async filled(table: string, by: string, value: string): Promise<string[]> {
    const [row = {}] = await this.sql(`select * from ${table} where ${by} = $1`, [value]);
    return Object.keys(row)
      .filter((name) => row[name] !== null)
      .sort();
  }
}

/** Omits the table `catalog_revision`, and the rows of the table `from` for which `gone` returns true. */
export function withoutRows(
  all: SnapshotTable[],
  from = '',
  gone: (row: SnapshotRow) => boolean = () => true,
): SnapshotTable[] {
  return all
    .filter(({ table }) => table !== 'catalog_revision')
    .map(({ table, rows }) => ({ table, rows: table === from ? rows.filter((row) => !gone(row)) : rows }));
}
