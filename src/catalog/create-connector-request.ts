import { LockMode, raw } from '@mikro-orm/core';
import { AppError } from '../kernel/errors.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { type ConnectorRequestArgs, MAX_NOTES } from './connector-request.inputs.js';
import { ConnectorRequest } from './connector-request.js';
import { OPEN } from './connector-request-status.js';

/** Of those who ask for the same at once, one comes after the other. */
const TAKE_TURNS = `select pg_advisory_xact_lock(hashtextextended('connector request ' || ? || ' ' || lower(?), 0))`;

/** A new request, or the open one of the same name, which takes the new notes. Case and outer spaces of the name do not matter. */
export async function createConnectorRequest(
  tx: WorkspaceTransaction,
  { connectorName, notes }: ConnectorRequestArgs,
): Promise<ConnectorRequest> {
  const name = connectorName.trim();
  await tx.em.execute(TAKE_TURNS, [tx.caller.tenantId, name]);
  const isOpen = { nameKey: raw('lower(?)', [name]), status: { $in: [...OPEN] } };
  const existing = await tx.em.findOne(ConnectorRequest, isOpen, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (existing) return addNotes(tx, existing, notes ?? '');
  const request = tx.create(ConnectorRequest, { connectorName: name, ...(notes && { notes }) });
  tx.record('connector_request.made', request, { connectorName: name });
  return request;
}

const BETWEEN_NOTES = '\n\n';

/** Adds notes that the request does not have yet, as a paragraph of their own. CONFLICT if they do not fit. */
function addNotes(tx: WorkspaceTransaction, request: ConnectorRequest, given: string): ConnectorRequest {
  const added = given.trim();
  const before = request.notes ?? '';
  const fenced = (text: string): string => BETWEEN_NOTES + text + BETWEEN_NOTES;
  if (!added || fenced(before.trim()).includes(fenced(added))) return request;
  const notes = before ? before + BETWEEN_NOTES + added : added;
  const free = MAX_NOTES - [...before].length - (before ? BETWEEN_NOTES.length : 0);
  if ([...notes].length > MAX_NOTES)
    throw new AppError(
      'CONFLICT',
      `The open request for this connector has notes already, and ${Math.max(0, free)} of ${MAX_NOTES} characters are left: shorten notes or leave them out.`,
    );
  tx.change(request, { notes });
  tx.record('connector_request.notes_added', request);
  return request;
}
