import { ref } from '@mikro-orm/core';
import { Connector } from '../../catalog/model/connector.js';
import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { isObjectTap } from '../../catalog/model/object-tap.js';
import { lockInstance } from '../../instances/find-instance.js';
import { addInstanceTaps } from '../../instances/lifecycle/add-instance-taps.js';
import type { TenantConnectorInstance } from '../../instances/tenant-connector-instance.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { relationEquals } from '../../kernel/entities/tenant-table.js';
import { AppError } from '../../kernel/errors.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { CatalogTable } from '../catalog-table.js';
import { scheduleMaintenance } from '../files/table-maintenance.js';
import type { TableServices } from '../table-context.js';
import { chooseTableName } from '../table-name.js';
import type { AddTenantConnectorTapArgs } from '../tenant-connector-tap.inputs.js';

/**
 * Adds a tap of the connector to a connection, and returns the id of the tap. If the service reads the tap once per
 * object, requires the name of the object, but does not check the name at the vendor. Restores a deleted tap with its
 * id and its table. The table accepts rows even if the definition of the tap has changed, because tables only gain
 * columns. Throws BAD_REQUEST, NOT_FOUND and CONFLICT.
 */
export async function addTenantConnectorTap(
  tx: WorkspaceTransaction,
  { hooks, jobs }: Pick<TableServices, 'hooks' | 'jobs'>,
  { instanceId, tapId, objectName, enabled = true }: AddTenantConnectorTapArgs,
): Promise<string> {
  const instance = await lockInstance(tx, instanceId);
  const definition = await tx.read.byId(ConnectorTap, tapId);
  if (definition?.connector !== instance.connector.id)
    throw new AppError('NOT_FOUND', "tapId is not a tap of the connection's connector.");
  await requireObject(tx, definition, objectName ?? undefined);
  const where = { ...relationEquals('instance_id', instanceId), tap: tapId, objectName: objectName ?? '' };
  const known = await tx.em.findOne(TenantConnectorTap, where);
  if (known && !known.deletedAt)
    throw new AppError('CONFLICT', 'The connection already has this tap. If the tap is disabled, enable it.');
  if (!known && !objectName) await addInstanceTaps(tx, instanceId, tapId);
  const added = () =>
    objectName ? addObjectTap(tx, instance, definition, objectName) : tx.em.findOneOrFail(TenantConnectorTap, where);
  const tap = known ?? (await added());
  const { tenantId } = tx.caller;
  tx.update(tap, { enabled, deletedAt: null as never });
  tx.recordAudit('connector_tap.added', tap, { enabled, ...(objectName && { objectName }) });
  await tx.em.flush();
  const [table] = await tx.read.many(CatalogTable, 'tap', tap.id);
  if (table) await scheduleMaintenance(jobs, tx.em, { tenantId, tableId: table.id });
  await hooks.onTapRestored(tx, { tenantId, tapId: tap.id });
  return tap.id;
}

async function requireObject(
  { read }: WorkspaceTransaction,
  definition: Lean<ConnectorTap>,
  objectName: string | undefined,
): Promise<void> {
  const connector = await read.byId(Connector, definition.connector);
  const isPerObject = connector !== undefined && isObjectTap(connector, definition);
  if (isPerObject === (objectName !== undefined)) return;
  throw new AppError(
    'BAD_REQUEST',
    isPerObject
      ? 'objectName is required, because the service reads the tap once per object.'
      : 'Omit objectName. It is allowed only for a tap that the service reads once per object.',
  );
}

async function addObjectTap(
  tx: WorkspaceTransaction,
  instance: TenantConnectorInstance,
  { id, name }: Lean<ConnectorTap>,
  objectName: string,
): Promise<TenantConnectorTap> {
  const tableName = await chooseTableName(tx, `${name} ${objectName}`);
  const tap = ref(tx.em.getReference(ConnectorTap, id));
  return tx.create(TenantConnectorTap, {
    ...{ instance: ref(instance), tap, objectName, name: objectName, enabled: true, tableName },
  });
}
