import { type InboundSecrets, loadInboundSecrets } from '../../src/instances/load-inbound-secrets.js';
import { markVerified } from '../../src/instances/sender-proof.js';
import { TenantConnectorInstance } from '../../src/instances/tenant-connector-instance.js';
import { decodeId, encodeId } from '../../src/kernel/ids.js';
import { Readers } from '../../src/kernel/readers.js';
import type { Lean } from '../../src/kernel/reading.js';
import { Tables } from '../../src/kernel/tables.js';
import { createOrm } from '../../src/orm.js';
import { DataKeys } from '../../src/secrets/data-keys.js';
import { keyRingIn } from '../../src/secrets/key-file.js';
import { SealingStore } from '../../src/secrets/sealing-store.js';
import { systemCaller, writeAs } from '../../src/tenancy/workspace-transaction.js';
import { rowsOf } from './rows.js';
import { loginTo } from './runtime-role.js';

interface Whose {
  readonly databaseUrl: string;
  readonly dataDir: string;
}

/** What another process on the same database and key file knows of the senders of a connection, and what it can say about them. */
export interface StoredSenders {
  load(): Promise<InboundSecrets | 'not configured' | undefined>;
  markVerified(credentialId: string): Promise<void>;
}

export async function withSenders<Result>(
  service: Whose,
  { id }: { id: string },
  work: (senders: StoredSenders) => Promise<Result>,
): Promise<Result> {
  const orm = createOrm(loginTo(service).url);
  try {
    const [row] = await rowsOf(service, 'select tenant_id from tenant_connector_instance where id = $1', [
      decodeId(id),
    ]);
    const tenantId = encodeId(row?.tenant_id);
    const tables = new Tables(orm.getMetadata());
    const readers = new Readers(tables, await orm.em.getConnection().getNativeClient());
    const secrets = new SealingStore(new DataKeys(readers, await keyRingIn(service.dataDir)));
    return await work({
      async load() {
        const read = readers.ofTenant(tenantId);
        const instance = (await read.byId(TenantConnectorInstance, id)) as Lean<TenantConnectorInstance>;
        return loadInboundSecrets(read, secrets, tenantId, instance);
      },
      markVerified: (credentialId) =>
        writeAs(orm.em, tables, systemCaller(tenantId), id, (tx) => markVerified(tx, credentialId)),
    });
  } finally {
    await orm.close();
  }
}
