import type { Client } from 'pg';

/**
 * Returns whether the client connects through a connection pooler, which returns made-up process ids. A transaction
 * pooler does not provide the exclusive session that LISTEN requires.
 */
export async function isPooledSession(client: Client): Promise<boolean> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return rows[0].pid !== (client as { processID?: unknown }).processID;
}
