import pg from 'pg';
import { statementName } from '../statement-name.js';

/**
 * Prepares each statement of pg-boss that has parameters. PostgreSQL takes longer to plan these statements than to
 * execute them.
 */
export class PreparedClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [text, values, ...rest] = args;
    const isPlain = typeof text === 'string' && Array.isArray(values) && values.length > 0;
    const sent = isPlain ? [{ name: statementName(text), text, values }, ...rest] : args;
    return Reflect.apply(super.query, this, sent) as never;
  }
}
