import pg from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** The SQL that a piece of work sends to PostgreSQL, on any connection of this process. */
export async function captureStatements(work: () => Promise<unknown>): Promise<string[]> {
  return (await captureBoundStatements(work)).map(({ text }) => text);
}

/** The same with the values that are bound. */
export async function captureBoundStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function spied(this: pg.Client, ...args: unknown[]) {
    const [statement, values = []] = args as [string | Statement, unknown[] | undefined];
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
 * The tables that a piece of work reads, each as often as it does, and what else it asks as it stands; sorted. Without `workspace`: the id
 * behind a slug is cached for a while.
 */
export async function captureTableReads(work: () => Promise<unknown>): Promise<string[]> {
  const statements = await captureStatements(work);
  return statements
    .filter((text) => !text.includes('from "workspace"'))
    .map((text) => (text.startsWith('select count') ? 'count ' : '') + (/from "(\w+)"/.exec(text)?.[1] ?? text))
    .sort();
}
