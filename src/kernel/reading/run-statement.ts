import type { QueryConfig } from 'pg';
import { AppError, toDatabaseError } from '../errors.js';
import { preparedStatement } from './prepared-statement.js';

/** A pool, a pool with a scope (`scopedConnection`), or the connection of a transaction. */
export interface QueryConnection {
  query(statement: QueryConfig & { rowMode: 'array' }): Promise<{ rows: (string | null)[][] }>;
}

/** Prepares the statement unless `isAdHoc` is true. Returns values in PostgreSQL's text format. */
export async function runStatement(
  connection: QueryConnection,
  text: string,
  values: readonly unknown[],
  isAdHoc: boolean,
): Promise<(string | null)[][]> {
  if (values.some((value) => typeof value === 'string' && value.includes('\0')))
    throw new AppError('BAD_REQUEST', 'Text must not contain NUL characters.');
  try {
    return (await connection.query(preparedStatement(text, values, isAdHoc))).rows;
  } catch (error) {
    // An error that is not a `DatabaseError` means that the connection was lost or refused.
    throw toDatabaseError(error);
  }
}
