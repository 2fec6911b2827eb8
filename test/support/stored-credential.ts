import { CredentialSession } from '../../src/instances/credential-session.js';
import { loadConnection } from '../../src/instances/load-connection.js';
import { decodeId, encodeId } from '../../src/kernel/ids.js';
import { Outbound, type OutboundReply } from '../../src/kernel/outbound.js';
import { Readers } from '../../src/kernel/readers.js';
import { Tables } from '../../src/kernel/tables.js';
import { createOrm } from '../../src/orm.js';
import { DataKeys } from '../../src/secrets/data-keys.js';
import { keyRingIn } from '../../src/secrets/key-file.js';
import { SealingStore } from '../../src/secrets/sealing-store.js';
import { callSource, type SourceCallRequest } from '../../src/sources/call-source.js';
import type { Send } from '../../src/sources/source-request.js';
import { rowsOf } from './rows.js';
import { loginTo } from './runtime-role.js';

type Call = (request: SourceCallRequest) => Promise<OutboundReply>;
interface PlayedRecord {
  readonly id: number;
}

interface Whose {
  readonly databaseUrl: string;
  readonly dataDir: string;
}

/**
 * Calls the source by a credential that the service has stored, as another process on its database and its key file would. `through`
 * stands between that process and the world.
 */
export async function withStored<Result>(
  service: Whose,
  { credentialMetadataId }: { credentialMetadataId: string },
  work: (call: Call) => Promise<Result>,
  through: (send: Send) => Send = (send) => send,
): Promise<Result> {
  const orm = createOrm(loginTo(service).url);
  const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
  try {
    const tenantId = await tenantOf(service, credentialMetadataId);
    const readers = new Readers(new Tables(orm.getMetadata()), await orm.em.getConnection().getNativeClient());
    const freshReader = () => readers.ofTenant(tenantId);
    const secrets = new SealingStore(new DataKeys(readers, await keyRingIn(service.dataDir)));
    const connection = await loadConnection(freshReader(), secrets, tenantId, credentialMetadataId);
    const sessions = new CredentialSession(freshReader, secrets, tenantId, credentialMetadataId, new Map());
    const send = through((url, request) => outbound.request(url, request));
    return await work((request) => callSource({ connection, sessions, send }, request));
  } finally {
    await outbound.close();
    await orm.close();
  }
}

const PAGE = 10;

/** All of the played vendor's records, by a stored credential: three calls. Throws where the vendor answers otherwise than by 200. */
export function readRecords(service: Whose, instance: { credentialMetadataId: string }): Promise<PlayedRecord[]> {
  return withStored(service, instance, async (call) => {
    const records: PlayedRecord[] = [];
    for (;;) {
      const { status, body } = await call({ path: '/records', query: { offset: records.length, limit: PAGE } });
      if (status !== 200) throw new Error(`the vendor answered ${status}`);
      const { data } = JSON.parse(body.toString());
      records.push(...data);
      if (data.length < PAGE) return records;
    }
  });
}

async function tenantOf(service: Whose, credentialId: string): Promise<string> {
  const [row] = await rowsOf(service, 'select tenant_id from credential_metadata where id = $1', [
    decodeId(credentialId),
  ]);
  return encodeId(row?.tenant_id);
}
