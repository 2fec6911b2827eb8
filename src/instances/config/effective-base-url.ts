import { Connector } from '../../catalog/model/connector.js';
import { AppError } from '../../kernel/errors.js';
import { overrideRow } from '../../kernel/reading/override-row.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { ConnectorBaseUrl } from './connector-base-url.js';

const LOCK_NAME = `hashtextextended('connector base url ' || ? || ' ' || ?, 0)`;
const LOCK = {
  exclusive: `select pg_advisory_xact_lock(${LOCK_NAME})`,
  shared: `select pg_advisory_xact_lock_shared(${LOCK_NAME})`,
};

export async function withEffectiveBaseUrl(read: Reader, connector: Lean<Connector>): Promise<Lean<Connector>> {
  const [own] = await read.many(ConnectorBaseUrl, 'connector', connector.id);
  return own ? overrideRow(connector, { defaultBaseUrl: own.baseUrl }) : connector;
}

/** Locks the base URL until the transaction ends: `exclusive` to change it, `shared` to prevent changes. */
export async function lockBaseUrl(
  { em, caller }: WorkspaceTransaction,
  connectorId: string,
  mode: keyof typeof LOCK,
): Promise<void> {
  await em.execute(LOCK[mode], [caller.tenantId, connectorId]);
}

/**
 * Throws CONFLICT if the base URL has changed since the caller read it, because the caller must not send secrets for
 * one host to another host. To avoid deadlocks, the caller must call this function before locking connections.
 */
export async function requireUnchangedBaseUrl(
  tx: WorkspaceTransaction,
  { id, defaultBaseUrl }: Lean<Connector>,
): Promise<void> {
  await lockBaseUrl(tx, id, 'shared');
  // With an Idempotency-Key, the transaction uses the reader of the request. This reader may have cached the old URL.
  tx.read.clear();
  const connector = await tx.read.byId(Connector, id);
  const current = connector && (await withEffectiveBaseUrl(tx.read, connector));
  if (current?.defaultBaseUrl !== defaultBaseUrl)
    throw new AppError('CONFLICT', 'The base URL of the connector has changed. Check the new URL, then try again.');
}
