import pg from 'pg';

/**
 * Sends each statement without a name. A pooler that shares connections by transactions and does not track prepared statements (PgBouncer
 * before 1.21) would execute a named one on a connection that has never prepared it.
 */
export class UnpreparedClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [statement] = args;
    if (typeof statement === 'object' && statement && 'name' in statement) statement.name = undefined;
    return Reflect.apply(super.query, this, args) as never;
  }
}
