import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { toDatabaseError } from './errors.js';
import { statementName } from './statement-name.js';
import { runInTransaction } from './transaction-statement.js';

const texts = new LRUCache<string, string>({ max: 1_000 });

/**
 * For statements that jobs repeat: PostgreSQL parses and plans the statement once per connection. With `em.execute`,
 * PostgreSQL would parse and plan each execution, because the SQL text contains the values.
 */
export async function executePrepared<Row = unknown>(
  em: EntityManager,
  /** SQL with a `?` for each value, and no other question marks. */
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const text = numbered(sql);
  try {
    return await runInTransaction<Row>(em, { name: statementName(text), text, values: [...values] });
  } catch (error) {
    throw toDatabaseError(error);
  }
}

/**
 * Like `executePrepared`, but returns no result. The driver may send the statement together with a later statement of
 * the transaction, or with the COMMIT. The later statement then throws the error of this statement.
 */
export async function deferPrepared(em: EntityManager, sql: string, values: readonly unknown[]): Promise<void> {
  const text = numbered(sql);
  const statement = { name: statementName(text), text, values: [...values], isDeferred: true as const };
  await runInTransaction(em, statement).catch((error: unknown) => {
    throw toDatabaseError(error);
  });
}

function numbered(sql: string): string {
  let text = texts.get(sql);
  let at = 0;
  if (!text) texts.set(sql, (text = sql.replaceAll('?', () => `$${++at}`)));
  return text;
}
