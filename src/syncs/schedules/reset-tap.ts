import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { statusListSql } from '../../kernel/entities/status-list-sql.js';
import { AppError } from '../../kernel/errors.js';
import { decodeId } from '../../kernel/ids.js';
import { lockInstanceOfTap, lockTap } from '../../tables/existing-tap.js';
import { findFeed } from '../../tables/merge/find-feed.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { isPulledTap } from '../runs/is-pulled-tap.js';
import { forgetTapStates } from '../runs/tap-states.js';
import { deleteSlicesOfTap } from '../slices/resumable-slices.js';
import { OPEN_RUN_STATUSES } from '../tap-run-status.js';
import { requireServiceRuns } from './require-service-runs.js';

const SELECT_OPEN_RUN = `
select from tap_run where tenant_id = $1 and tap_id = $2
  and status in (${statusListSql(OPEN_RUN_STATUSES)}) limit 1`;

/**
 * The next sync reads the tap from the start. The records of this read then replace the rows of the table. Throws
 * NOT_FOUND. Throws CONFLICT for a tap that the service does not read, for a feeding tap, and during a run of the tap.
 */
export async function resetTap(tx: WorkspaceTransaction, id: string): Promise<void> {
  const { tenantId } = tx.caller;
  await lockInstanceOfTap(tx.em, tenantId, id); // The lock prevents the start of a sync until the tap is reset.
  const tap = await lockTap(tx, id);
  const definition = tap.tap && (await tx.read.byId(ConnectorTap, tap.tap.id));
  if (!tap.instance || !isPulledTap(definition))
    throw new AppError('CONFLICT', 'The service does not read this tap, so a reset could not restore its rows.');
  const own = await tx.read.byId(TenantConnectorTap, id);
  if (own && (await findFeed(tx.read, own, definition)))
    throw new AppError('CONFLICT', 'The tap feeds the table of another tap. Reset the fed tap instead.');
  await requireServiceRuns(tx.read, tap.instance.id);
  if ((await tx.read.rows(SELECT_OPEN_RUN, [tenantId, id].map(decodeId))).length > 0)
    throw new AppError('CONFLICT', 'A sync of the tap is open. Wait until the sync ends, or cancel the sync.');
  const place = { tenantId, tapId: id };
  await forgetTapStates(tx.em, place);
  await deleteSlicesOfTap(tx.em, place);
  tx.update(tap, { resetAt: new Date() });
  tx.recordAudit('connector_tap.reset', tap);
}
