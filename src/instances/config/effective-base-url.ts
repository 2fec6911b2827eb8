import { Connector } from '../../catalog/model/connector.js';
import { AppError } from '../../kernel/errors.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { ConnectorBaseUrl } from './connector-base-url.js';

const LOCK_NAME = `hashtextextended('connector base url ' || ? || ' ' || ?, 0)`;
const LOCK = {
  toChange: `select pg_advisory_xact_lock(${LOCK_NAME})`,
  toRely: `select pg_advisory_xact_lock_shared(${LOCK_NAME})`,
};

/** The connector as the workspace calls it: with the workspace's own base URL as `defaultBaseUrl`, if it has set one. */
export async function withEffectiveBaseUrl(read: Reader, connector: Lean<Connector>): Promise<Lean<Connector>> {
  const [own] = await read.many(ConnectorBaseUrl, 'connector', connector.id);
  return own ? { ...connector, defaultBaseUrl: own.baseUrl } : connector;
}

/** Until the transaction ends, the base URL changes in no other one (`toRely`), or nothing relies on it (`toChange`). */
export async function lockBaseUrl(
  { em, caller }: WorkspaceTransaction,
  connectorId: string,
  purpose: keyof typeof LOCK,
): Promise<void> {
  await em.execute(LOCK[purpose], [caller.tenantId, connectorId]);
}

/**
 * Throws CONFLICT if the base URL is not the one that the caller goes by: secrets entered for one host must not be sent to another.
 * Comes before locks on connections, as in `setConnectorBaseUrl`, or the two could wait for each other.
 */
export async function requireUnchangedBaseUrl(
  tx: WorkspaceTransaction,
  { id, defaultBaseUrl }: Lean<Connector>,
): Promise<void> {
  await lockBaseUrl(tx, id, 'toRely');
  tx.read.clear(); // under an Idempotency-Key the request and its transaction share a reader, which has read the URL before the lock
  const connector = await tx.read.byId(Connector, id);
  const current = connector && (await withEffectiveBaseUrl(tx.read, connector));
  if (current?.defaultBaseUrl !== defaultBaseUrl)
    throw new AppError('CONFLICT', 'The base URL of the connector has changed; check it and try again.');
}
