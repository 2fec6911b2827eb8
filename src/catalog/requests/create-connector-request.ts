import { LockMode, raw } from '@mikro-orm/core';
import { AppError } from '../../kernel/errors.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { type ConnectorRequestArgs, MAX_NOTES_LENGTH } from './connector-request.inputs.js';
import { ConnectorRequest } from './connector-request.js';
import { OPEN_STATUSES } from './connector-request-status.js';

/** Serializes concurrent requests for the same name. */
const LOCK_REQUEST_NAME_SQL = `select pg_advisory_xact_lock(hashtextextended('connector request ' || ? || ' ' || lower(?), 0))`;

/**
 * If an open request has the same name, adds the notes to that request. Names match regardless of case and surrounding
 * spaces.
 */
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

/**
 * Appends the notes as a paragraph, unless the request already contains them. Throws CONFLICT if all notes together
 * exceed the limit.
 */
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
      `The notes of the open request for this connector have ${Math.max(0, free)} of ${MAX_NOTES_LENGTH.toLocaleString('en')} characters left. Shorten or omit notes.`,
    );
  tx.update(request, { notes });
  tx.recordAudit('connector_request.notes_added', request);
  return request;
}
