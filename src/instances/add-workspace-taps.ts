import { ref } from '@mikro-orm/core';
import { ConnectorTap } from '../catalog/connector-tap.js';
import { PlatformVendor } from '../catalog/platform-vendor.js';
import { AppError } from '../kernel/errors.js';
import { decodeId } from '../kernel/ids.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import type { Definition } from './chosen-definition.js';
import type { TenantConnectorInstance } from './tenant-connector-instance.js';
import { TenantConnectorTap } from './tenant-connector-tap.js';

/** The taps that a new connection reads. */
export async function addWorkspaceTaps(
  tx: WorkspaceTransaction,
  instance: TenantConnectorInstance,
  { connector, taps }: Definition,
): Promise<void> {
  const vendor = await tx.read.byId(PlatformVendor, connector.vendor);
  if (!vendor) throw new AppError('NOT_FOUND', 'The vendor of the connector is gone.');
  for (const { id, name, enabledByDefault } of taps) {
    if (!enabledByDefault) continue;
    const tap = ref(tx.em.getReference(ConnectorTap, id));
    const tableName = tableNameOf(vendor.slug, name, instance.id);
    tx.create(TenantConnectorTap, { instance: ref(instance), tap, name, enabled: true, tableName });
  }
}

/** Lower case, as SQL has it without quotes; the end tells connections of the same vendor apart. */
function tableNameOf(vendorSlug: string, tapName: string, instanceId: string): string {
  const end = decodeId(instanceId)?.slice(0, 8);
  return `${vendorSlug.replaceAll('-', '_')}_${tapName}_${end}`.toLowerCase();
}
