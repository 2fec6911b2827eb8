import pg from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Returns the SQL that this process sends to PostgreSQL during `work`. With `database`, returns only the SQL of
 * connections to that database.
 */
export async function captureStatements(work: () => Promise<unknown>, database?: string): Promise<string[]> {
  return (await captureBoundStatements(work, database)).map(({ text }) => text);
}

/** Returns whether a service sends the statement at intervals, to check its session or to maintain the job queues. */
export function isPeriodic(statement: string): boolean {
  return /^select 1$|taproot_jobs\.(queue|version)\b/.test(statement);
}

/** Returns the statements of `captureStatements` with their bound values. */
export async function captureBoundStatements(work: () => Promise<unknown>, database?: string): Promise<Statement[]> {
  const statements: Statement[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function spied(this: pg.Client, ...args: unknown[]) {
    const [statement, values = []] = args as [string | Statement, unknown[] | undefined];
    if (!database || this.database === database)
      statements.push(typeof statement === 'string' ? { text: statement, values } : statement);
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return statements;
}

/**
 * Returns the table of each read of `work`, with `count` before the table of a count, and the text of each other
 * statement, sorted. Omits periodic statements, and reads of `workspace`, because they occur only if the slug is not
 * cached.
 */
export async function captureTableReads(work: () => Promise<unknown>): Promise<string[]> {
  const statements = await captureStatements(work);
  return statements
    .filter((text) => !isPeriodic(text) && !text.includes('from "workspace"'))
    .map((text) => (text.startsWith('select count') ? 'count ' : '') + (/from "(\w+)"/.exec(text)?.[1] ?? text))
    .sort();
}
