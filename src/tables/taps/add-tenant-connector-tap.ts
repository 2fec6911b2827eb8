import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { lockInstance } from '../../instances/find-instance.js';
import { addInstanceTaps } from '../../instances/lifecycle/add-instance-taps.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { relationEquals } from '../../kernel/entities/tenant-table.js';
import { AppError } from '../../kernel/errors.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { CatalogTable } from '../catalog-table.js';
import { scheduleMaintenance } from '../files/table-maintenance.js';
import type { TableServices } from '../table-context.js';
import type { AddTenantConnectorTapArgs } from '../tenant-connector-tap.inputs.js';

/**
 * Adds a tap of the connector to a connection and returns its id. A deleted tap is restored with its id and its table.
 * The table accepts rows even if the definition of the tap has changed, because tables only gain columns.
 */
export async function addTenantConnectorTap(
  tx: WorkspaceTransaction,
  { hooks, jobs }: Pick<TableServices, 'hooks' | 'jobs'>,
  { instanceId, tapId, enabled = true }: AddTenantConnectorTapArgs,
): Promise<string> {
  const { connector } = await lockInstance(tx, instanceId);
  const definition = await tx.read.byId(ConnectorTap, tapId);
  if (definition?.connector !== connector.id)
    throw new AppError('NOT_FOUND', "tapId is not a tap of the connection's connector.");
  const where = { ...relationEquals('instance_id', instanceId), tap: tapId };
  const known = await tx.em.findOne(TenantConnectorTap, where);
  if (known && !known.deletedAt)
    throw new AppError('CONFLICT', 'The connection already has this tap; enable it instead.');
  if (!known) await addInstanceTaps(tx, instanceId, tapId);
  const tap = known ?? (await tx.em.findOneOrFail(TenantConnectorTap, where));
  const { tenantId } = tx.caller;
  tx.update(tap, { enabled, deletedAt: null as never });
  tx.recordAudit('connector_tap.added', tap, { enabled });
  await tx.em.flush();
  const [table] = await tx.read.many(CatalogTable, 'tap', tap.id);
  if (table) await scheduleMaintenance(jobs, tx.em, { tenantId, tableId: table.id });
  await hooks.onTapRestored(tx, { tenantId, tapId: tap.id });
  return tap.id;
}
