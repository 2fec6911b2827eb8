import type { EntityManager } from '@mikro-orm/postgresql';
import type { QueryConfig } from 'pg';

interface CompiledQuery {
  readonly sql: unknown;
  readonly parameters: readonly unknown[];
  readonly query: { readonly kind: 'RawNode' };
  readonly queryId: { readonly queryId: string };
}

interface Transaction {
  executeQuery(query: CompiledQuery): Promise<{ readonly rows: readonly unknown[] }>;
}

export interface TransactionConnection {
  query(statement: TransactionStatement): Promise<{ readonly rows: readonly unknown[] }>;
}

/** `pg` may send a deferred statement, whose result the caller does not use, together with the next statement. */
export interface TransactionStatement extends QueryConfig {
  readonly isDeferred?: true;
}

/** `TransactionClient` itself answers this statement, with a `TransactionConnection` as the only row. */
export const GET_CONNECTION = Symbol('the connection of the transaction');

const connections = new WeakMap<Transaction, Promise<TransactionConnection>>();

/**
 * Runs a statement on the connection that the transaction of `em` uses. Calls may overlap: the database executes the
 * statements in the order of the calls. Throws errors of `pg`.
 */
export async function runInTransaction<Row>(em: EntityManager, statement: TransactionStatement): Promise<Row[]> {
  const transaction = em.getTransactionContext() as unknown as Transaction | undefined;
  if (!transaction) throw new Error('the statement requires a transaction');
  let connection = connections.get(transaction);
  if (!connection) connections.set(transaction, (connection = connectionOf(transaction)));
  return (await (await connection).query(statement)).rows as Row[];
}

/**
 * Bypasses Kysely, which sends a statement only after the response to the previous one. Kysely passes `sql` to `pg`
 * unchanged.
 */
async function connectionOf(transaction: Transaction): Promise<TransactionConnection> {
  const query = { kind: 'RawNode' } as const;
  const { rows } = await transaction.executeQuery({
    sql: GET_CONNECTION,
    parameters: [],
    query,
    queryId: { queryId: '' },
  });
  return rows[0] as TransactionConnection;
}
