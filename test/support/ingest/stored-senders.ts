import { type InboundSecrets, loadInboundSecrets } from '../../../src/instances/credentials/load-inbound-secrets.js';
import { markSenderVerified } from '../../../src/instances/credentials/sender-verification.js';
import { TenantConnectorInstance } from '../../../src/instances/tenant-connector-instance.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { decodeId, encodeId } from '../../../src/kernel/ids.js';
import type { Lean } from '../../../src/kernel/reading/reader.js';
import { ReaderFactory } from '../../../src/kernel/reading/reader-factory.js';
import { DataKeys } from '../../../src/secrets/data-keys.js';
import { loadKeyRing } from '../../../src/secrets/key-file.js';
import { SealingStore } from '../../../src/secrets/sealing-store.js';
import { systemCaller, writeAsCaller } from '../../../src/tenancy/workspace-transaction.js';
import { keptOrm } from '../database/kept-orms.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { loginTo } from '../database/runtime-role.js';

interface Whose {
  readonly databaseUrl: string;
  readonly dataDir: string;
}

/** Accesses the sender secrets of a connection, as a second process with the same database and key file would. */
export interface StoredSenders {
  load(): Promise<InboundSecrets | 'not configured' | undefined>;
  markVerified(credentialId: string): Promise<void>;
}

export async function withSenders<Result>(
  service: Whose,
  { id }: { id: string },
  work: (senders: StoredSenders) => Promise<Result>,
): Promise<Result> {
  const orm = keptOrm(loginTo(service).url);
  const [row] = await queryAsOwner(service, 'select tenant_id from tenant_connector_instance where id = $1', [
    decodeId(id),
  ]);
  const tenantId = encodeId(row?.tenant_id);
  const tables = new EntityTables(orm.getMetadata());
  const readers = new ReaderFactory(tables, await orm.em.getConnection().getNativeClient());
  const secrets = new SealingStore(new DataKeys(readers, await loadKeyRing(service.dataDir)));
  return await work({
    async load() {
      const read = readers.forTenant(tenantId);
      const instance = (await read.byId(TenantConnectorInstance, id)) as Lean<TenantConnectorInstance>;
      return loadInboundSecrets(read, secrets, tenantId, instance);
    },
    markVerified: (credentialId) =>
      writeAsCaller(orm.em, tables, systemCaller(tenantId), id, (tx) => markSenderVerified(tx, credentialId)),
  });
}
