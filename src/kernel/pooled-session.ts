import type { Client } from 'pg';

/**
 * Returns whether the client connects through a connection pooler. A pooler returns made-up process ids. LISTEN
 * requires an exclusive session, which a transaction pooler does not provide.
 */
export async function isPooledSession(client: Client): Promise<boolean> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return rows[0].pid !== (client as { processID?: unknown }).processID;
}
