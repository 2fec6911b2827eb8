import { LockMode, raw } from '@mikro-orm/core';
import { AppError } from '../../kernel/errors.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { type ConnectorRequestArgs, MAX_NOTES_LENGTH } from './connector-request.inputs.js';
import { ConnectorRequest } from './connector-request.js';
import { OPEN_STATUSES } from './connector-request-status.js';

/** Of those who ask for the same at once, one comes after the other. */
const LOCK_REQUEST_NAME_SQL = `select pg_advisory_xact_lock(hashtextextended('connector request ' || ? || ' ' || lower(?), 0))`;

/** A new request, or the open one of the same name, which takes the new notes. Case and outer spaces of the name do not matter. */
export async function createConnectorRequest(
  tx: WorkspaceTransaction,
  { connectorName, notes }: ConnectorRequestArgs,
): Promise<ConnectorRequest> {
  const name = connectorName.trim();
  await tx.em.execute(LOCK_REQUEST_NAME_SQL, [tx.caller.tenantId, name]);
  const isOpen = { nameKey: raw('lower(?)', [name]), status: { $in: [...OPEN_STATUSES] } };
  const existing = await tx.em.findOne(ConnectorRequest, isOpen, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (existing) return addNotes(tx, existing, notes ?? '');
  const request = tx.create(ConnectorRequest, { connectorName: name, ...(notes && { notes }) });
  tx.recordAudit('connector_request.made', request, { connectorName: name });
  return request;
}

const NOTES_SEPARATOR = '\n\n';

/** Adds notes that the request does not have yet, as a paragraph of their own. CONFLICT if they do not fit. */
function addNotes(tx: WorkspaceTransaction, request: ConnectorRequest, given: string): ConnectorRequest {
  const added = given.trim();
  const before = request.notes ?? '';
  const fenced = (text: string): string => NOTES_SEPARATOR + text + NOTES_SEPARATOR;
  if (!added || fenced(before.trim()).includes(fenced(added))) return request;
  const notes = before ? before + NOTES_SEPARATOR + added : added;
  const free = MAX_NOTES_LENGTH - [...before].length - (before ? NOTES_SEPARATOR.length : 0);
  if ([...notes].length > MAX_NOTES_LENGTH)
    throw new AppError(
      'CONFLICT',
      `The open request for this connector has notes already, and ${Math.max(0, free)} of ${MAX_NOTES_LENGTH} characters are left: shorten notes or leave them out.`,
    );
  tx.update(request, { notes });
  tx.recordAudit('connector_request.notes_added', request);
  return request;
}
