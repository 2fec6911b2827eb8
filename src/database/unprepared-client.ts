import { TransactionClient } from './transaction-client.js';

/**
 * Some transaction poolers, such as PgBouncer before version 1.21, do not support prepared statements. They might
 * execute a named statement on a connection that never prepared it.
 */
export class UnpreparedClient extends TransactionClient {
  override query(...args: unknown[]): never {
    const [statement] = args;
    if (typeof statement === 'object' && statement && 'name' in statement) statement.name = undefined;
    return Reflect.apply(super.query, this, args) as never;
  }
}
