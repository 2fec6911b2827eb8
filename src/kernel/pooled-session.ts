import type { Client } from 'pg';

/**
 * Whether a connection pooler is between the service and PostgreSQL, detected by its made-up process ids. LISTEN
 * requires an exclusive session, which a transaction pooler does not provide.
 */
export async function isPooledSession(client: Client): Promise<boolean> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return rows[0].pid !== (client as { processID?: unknown }).processID;
}
