import pg from 'pg';

/** A transaction of another process. It holds its locks until it ends. */
export interface OpenTransaction {
  query(statement: string, values?: unknown[]): Promise<pg.QueryResult>;
  end(by: 'commit' | 'rollback'): Promise<void>;
}

/** Begins a transaction as the owner of the tables. */
export async function anOpenTransaction({ databaseUrl }: { databaseUrl: string }): Promise<OpenTransaction> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  return {
    query: (statement, values) => client.query(statement, values),
    end: async (by) => {
      await client.query(by).finally(() => client.end());
    },
  };
}
