import { TransactionClient } from './transaction-client.js';

/**
 * Sends all statements without a name. A transaction pooler without support for prepared statements (PgBouncer before
 * 1.21) might execute a named statement on a connection that never prepared it.
 */
export class UnpreparedClient extends TransactionClient {
  override query(...args: unknown[]): never {
    const [statement] = args;
    if (typeof statement === 'object' && statement && 'name' in statement) statement.name = undefined;
    return Reflect.apply(super.query, this, args) as never;
  }
}
