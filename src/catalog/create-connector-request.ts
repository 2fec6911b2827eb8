import { raw } from '@mikro-orm/core';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import type { ConnectorRequestArgs } from './connector-request.inputs.js';
import { ConnectorRequest } from './connector-request.js';
import { OPEN } from './connector-request-status.js';

/** Of those who ask for the same at once, one comes after the other. */
const TAKE_TURNS = `select pg_advisory_xact_lock(hashtextextended('connector request ' || ? || ' ' || lower(?), 0))`;

/** A new request, or the open one of the same name: who asks twice is not counted twice. Case and outer spaces do not matter. */
export async function createConnectorRequest(
  tx: WorkspaceTransaction,
  { connectorName, notes }: ConnectorRequestArgs,
): Promise<ConnectorRequest> {
  const name = connectorName.trim();
  await tx.em.execute(TAKE_TURNS, [tx.caller.tenantId, name]);
  const isOpen = { nameKey: raw('lower(?)', [name]), status: { $in: [...OPEN] } };
  const existing = await tx.em.findOne(ConnectorRequest, isOpen);
  if (existing) return existing;
  const request = tx.create(ConnectorRequest, { connectorName: name, ...(notes && { notes }) });
  tx.record('connector_request.made', request, { connectorName: name });
  return request;
}
