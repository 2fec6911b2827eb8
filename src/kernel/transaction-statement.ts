import type { EntityManager } from '@mikro-orm/postgresql';
import type { QueryConfig } from 'pg';

interface CompiledQuery {
  readonly sql: unknown;
  readonly parameters: readonly unknown[];
  readonly query: { readonly kind: 'RawNode' };
  readonly queryId: { readonly queryId: string };
}

interface TransactionConnection {
  executeQuery(query: CompiledQuery): Promise<{ readonly rows: readonly unknown[] }>;
}

/**
 * A statement of a transaction. `pg` may send a statement whose result the caller does not use together with the next
 * statement.
 */
export interface TransactionStatement extends QueryConfig {
  readonly isDeferred?: true;
}

/** Runs a statement on the connection of the transaction of `em`. Throws errors of `pg`. */
export async function runInTransaction<Row>(em: EntityManager, statement: TransactionStatement): Promise<Row[]> {
  const connection = em.getTransactionContext() as unknown as TransactionConnection | undefined;
  if (!connection) throw new Error('the statement requires a transaction');
  // Kysely passes `sql` to `pg` unchanged. `pg` accepts a query config instead of a string.
  const { values = [], name = '' } = statement;
  const query = { sql: statement, parameters: values, query: { kind: 'RawNode' }, queryId: { queryId: name } } as const;
  return (await connection.executeQuery(query)).rows as Row[];
}
