import { LockMode, ref } from '@mikro-orm/core';
import { AppError } from '../../kernel/errors.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { Connector } from '../model/connector.js';
import { PlatformVendorGrouping } from '../model/platform-vendor-grouping.js';
import type { ConnectorRequestMoveArgs } from './connector-request.inputs.js';
import { ConnectorRequest } from './connector-request.js';
import { ConnectorRequestMove } from './connector-request-move.js';
import { STATUS_TRANSITIONS } from './connector-request-status.js';

/** A row lock serializes concurrent changes. */
export async function moveConnectorRequest(tx: WorkspaceTransaction, args: ConnectorRequestMoveArgs): Promise<void> {
  const { id, status, note } = args;
  const request = await tx.em.findOne(ConnectorRequest, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!request) throw new AppError('NOT_FOUND', 'The connector request does not exist.');
  const { status: from } = request;
  if (!STATUS_TRANSITIONS[from].includes(status))
    throw new AppError('CONFLICT', `The status cannot change from ${from} to ${status}.`);
  tx.update(request, { status, ...(await resolveResult(tx, args)) });
  tx.create(ConnectorRequestMove, {
    ...{ request: ref(request), from, to: status, movedBy: tx.caller.userId },
    ...(note && { note }),
  });
  tx.recordAudit('connector_request.moved', request, { from, to: status });
}

async function resolveResult(
  { em }: WorkspaceTransaction,
  { status, resultConnectorId, resolvedGroupingId }: ConnectorRequestMoveArgs,
): Promise<Partial<ConnectorRequest>> {
  if (status !== 'completed') {
    if (resultConnectorId || resolvedGroupingId)
      throw new AppError(
        'BAD_REQUEST',
        'resultConnectorId and resolvedGroupingId are allowed only with status completed.',
      );
    return {};
  }
  if (!resultConnectorId) throw new AppError('BAD_REQUEST', 'Status completed requires resultConnectorId.');
  const connector = await em.findOne(Connector, { id: resultConnectorId });
  if (!connector) throw new AppError('NOT_FOUND', `resultConnectorId "${resultConnectorId}" does not exist.`);
  const offering = { connector: connector.id, ...(resolvedGroupingId && { id: resolvedGroupingId }) };
  const grouping = await em.findOne(PlatformVendorGrouping, offering, { orderBy: { sortOrder: 'asc', id: 'asc' } });
  if (!grouping && resolvedGroupingId)
    throw new AppError(
      'NOT_FOUND',
      `resolvedGroupingId "${resolvedGroupingId}" is not a grouping that offers the connector.`,
    );
  return {
    resultConnector: ref(connector),
    resolvedVendor: connector.vendor,
    ...(grouping && { resolvedGrouping: ref(grouping) }),
  };
}
