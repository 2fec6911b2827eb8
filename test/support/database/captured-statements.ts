import pg from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** With `database`, returns only the statements of connections to this database. */
export async function captureStatements(work: () => Promise<unknown>, database?: string): Promise<string[]> {
  return (await captureBoundStatements(work, database)).map(({ text }) => text);
}

/** A service sends these statements periodically, to check its session and to maintain the job queues. */
export function isPeriodic(statement: string): boolean {
  return /^select 1$|taproot_jobs\.(queue|version)\b/.test(statement);
}

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
 * Returns a sorted list: the table of each read, `count TABLE` for each count, and the text of each other statement.
 * Omits periodic statements, and reads of `workspace`, which occur only if the slug is not cached.
 */
export async function captureTableReads(work: () => Promise<unknown>): Promise<string[]> {
  const statements = await captureStatements(work);
  return statements
    .filter((text) => !isPeriodic(text) && !text.includes('from "workspace"'))
    .map((text) => (text.startsWith('select count') ? 'count ' : '') + (/from "(\w+)"/.exec(text)?.[1] ?? text))
    .sort();
}
