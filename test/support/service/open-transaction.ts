import pg from 'pg';

/** A transaction on its own connection. Its locks affect the service like the locks of another process. */
export interface OpenTransaction {
  query(statement: string, values?: unknown[]): Promise<pg.QueryResult>;
  end(by: 'commit' | 'rollback'): Promise<void>;
}

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
