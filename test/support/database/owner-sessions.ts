import pg from 'pg';

/** `ref` and `unref` exist since pg 8.4, but the types of pg omit them. */
type Session = pg.Client & { ref(): void; unref(): void };

/** The idle session per database URL. Undefined if the session is in use or not open. */
const idle = new Map<string, Session | undefined>();

/** Keeps a session of this database between statements, because a new session takes 10 ms of CPU time. */
export function keepOwnerSession(databaseUrl: string): void {
  if (!idle.has(databaseUrl)) idle.set(databaseUrl, undefined);
}

export async function endOwnerSession(databaseUrl: string): Promise<void> {
  const client = idle.get(databaseUrl);
  idle.delete(databaseUrl);
  await client?.end();
}

/** The session starts without the settings, locks and temporary tables of earlier callers. */
export async function withOwnerSession<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = takeIdle(databaseUrl) ?? (await connect(databaseUrl));
  client.ref();
  try {
    return await work(client);
  } finally {
    await putBack(databaseUrl, client);
  }
}

/** Removes the session before the next `await`, so that no concurrent caller gets it. */
function takeIdle(databaseUrl: string): Session | undefined {
  const client = idle.get(databaseUrl);
  if (client) idle.set(databaseUrl, undefined);
  return client;
}

async function connect(connectionString: string): Promise<Session> {
  const client = new pg.Client({ connectionString }) as Session;
  const forget = (): void => {
    if (idle.get(connectionString) === client) idle.set(connectionString, undefined);
  };
  client.on('error', forget).on('end', forget);
  await client.connect();
  return client;
}

async function putBack(databaseUrl: string, client: Session): Promise<void> {
  const isReset = idle.has(databaseUrl) && (await client.query('discard all').then(Boolean, () => false));
  if (!isReset || !idle.has(databaseUrl) || idle.get(databaseUrl)) return client.end();
  client.unref(); // An idle session does not keep the process alive.
  idle.set(databaseUrl, client);
}
