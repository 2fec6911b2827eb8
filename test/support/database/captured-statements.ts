import pg from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** The service sends it at intervals, to check that its session is alive. */
const PROBE = 'select 1';

/** The SQL that `work` sends to PostgreSQL, on all connections of this process. */
export async function captureStatements(work: () => Promise<unknown>): Promise<string[]> {
  return (await captureBoundStatements(work)).map(({ text }) => text);
}

/** The statements of `work` with their bound values. */
export async function captureBoundStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const record = (statement: Statement): void => {
    if (statement.text !== PROBE) statements.push(statement);
  };
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function spied(this: pg.Client, ...args: unknown[]) {
    const [statement, values = []] = args as [string | Statement, unknown[] | undefined];
    record(typeof statement === 'string' ? { text: statement, values } : statement);
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
 * The tables that `work` reads, once per read, and its other statements verbatim; sorted. Omits reads of `workspace`,
 * which occur only if the slug is not cached.
 */
export async function captureTableReads(work: () => Promise<unknown>): Promise<string[]> {
  const statements = await captureStatements(work);
  return statements
    .filter((text) => !text.includes('from "workspace"'))
    .map((text) => (text.startsWith('select count') ? 'count ' : '') + (/from "(\w+)"/.exec(text)?.[1] ?? text))
    .sort();
}
