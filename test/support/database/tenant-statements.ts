import type { ClientBase, QueryConfig } from 'pg';
import { type Scope, ScopedQuery } from '../../../src/kernel/reading/scoped-query.js';

export function queryInScope(client: ClientBase, config: QueryConfig, scope: Scope): Promise<{ rows: unknown[][] }> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, result: never) => (error ? reject(error) : resolve(result));
    client.query(new ScopedQuery({ rowMode: 'array', ...config } as never, scope) as never, done as never);
  });
}

/** Returns `['no error']` if `work` succeeds. */
export async function sqlStateOf(work: Promise<unknown>): Promise<(string | undefined)[]> {
  return work.then(
    () => ['no error'],
    (error: { code?: string; cause?: { code?: string } }) => [error.cause?.code ?? error.code],
  );
}
