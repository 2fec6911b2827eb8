import { CredentialSessionStore } from '../../../src/instances/credentials/credential-session-store.js';
import { loadConnection } from '../../../src/instances/credentials/load-connection.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { decodeId, encodeId } from '../../../src/kernel/ids.js';
import { OutboundClient, type OutboundReply } from '../../../src/kernel/outbound/outbound-client.js';
import { ReaderFactory } from '../../../src/kernel/reading/reader-factory.js';
import { DataKeys } from '../../../src/secrets/data-keys.js';
import { loadKeyRing } from '../../../src/secrets/key-file.js';
import { SealingStore } from '../../../src/secrets/sealing-store.js';
import { callSource, type SourceCallRequest } from '../../../src/sources/calls/call-source.js';
import type { Send } from '../../../src/sources/source-request.js';
import { keptOrm } from '../database/kept-orms.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { loginTo } from '../database/runtime-role.js';

type Call = (request: SourceCallRequest) => Promise<OutboundReply>;
interface VendorRecord {
  readonly id: number;
}

interface Whose {
  readonly databaseUrl: string;
  readonly dataDir: string;
}

/**
 * Calls the source with a stored credential, as a second process with the same database and key file would. `through`
 * wraps the requests to the source.
 */
export async function withStoredCredential<Result>(
  service: Whose,
  { credentialMetadataId }: { credentialMetadataId: string },
  work: (call: Call) => Promise<Result>,
  through: (send: Send) => Send = (send) => send,
): Promise<Result> {
  const orm = keptOrm(loginTo(service).url);
  const outbound = new OutboundClient({ allow: ['127.0.0.0/8'] });
  try {
    const tenantId = await tenantOf(service, credentialMetadataId);
    const readers = new ReaderFactory(
      new EntityTables(orm.getMetadata()),
      await orm.em.getConnection().getNativeClient(),
    );
    const freshReader = () => readers.forTenant(tenantId);
    const secrets = new SealingStore(new DataKeys(readers, await loadKeyRing(service.dataDir)));
    const connection = await loadConnection(freshReader(), secrets, tenantId, credentialMetadataId);
    const sessions = new CredentialSessionStore(freshReader, secrets, tenantId, credentialMetadataId, new Map());
    const send = through((url, request) => outbound.request(url, request));
    return await work((request) => callSource({ connection, sessions, send }, request));
  } finally {
    await outbound.close();
  }
}

const PAGE = 10;

/** Reads all records of the fake vendor with three requests. Throws for a status other than 200. */
export function readVendorRecords(service: Whose, instance: { credentialMetadataId: string }): Promise<VendorRecord[]> {
  return withStoredCredential(service, instance, async (call) => {
    const records: VendorRecord[] = [];
    for (;;) {
      const { status, body } = await call({ path: '/records', query: { offset: records.length, limit: PAGE } });
      if (status !== 200) throw new Error(`the vendor returned status ${status}`);
      const { data } = JSON.parse(body.toString());
      records.push(...data);
      if (data.length < PAGE) return records;
    }
  });
}

async function tenantOf(service: Whose, credentialId: string): Promise<string> {
  const [row] = await queryAsOwner(service, 'select tenant_id from credential_metadata where id = $1', [
    decodeId(credentialId),
  ]);
  return encodeId(row?.tenant_id);
}
