import 'reflect-metadata';
import { createInterface } from 'node:readline';
import { createOrm } from '../../../src/database/orm.js';
import { CredentialSessionStore } from '../../../src/instances/credentials/credential-session-store.js';
import { loadConnection } from '../../../src/instances/credentials/load-connection.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { OutboundClient } from '../../../src/kernel/outbound/outbound-client.js';
import { ReaderFactory } from '../../../src/kernel/reading/reader-factory.js';
import { DataKeys } from '../../../src/secrets/data-keys.js';
import { loadKeyRing } from '../../../src/secrets/key-file.js';
import { SealingStore } from '../../../src/secrets/sealing-store.js';
import { callSource } from '../../../src/sources/calls/call-source.js';

/**
 * A process that uses stored credentials. For each input line `<tenant> <credential> <times>`, it sends `times`
 * concurrent requests for `/me` to the source. It prints the number of requests per status or error.
 */
const { DATABASE_URL, DATA_DIR, LEASE } = process.env;
const orm = createOrm(DATABASE_URL);
const readers = new ReaderFactory(new EntityTables(orm.getMetadata()), await orm.em.getConnection().getNativeClient());
const secrets = new SealingStore(new DataKeys(readers, await loadKeyRing(DATA_DIR)));
const outbound = new OutboundClient({ allow: ['127.0.0.0/8'] });
const send = (url, request) => outbound.request(url, request);

const underWay = new Map();

async function use(tenantId, credentialId) {
  const freshReader = () => readers.forTenant(tenantId);
  const connection = await loadConnection(freshReader(), secrets, tenantId, credentialId);
  const lease = LEASE ? Number(LEASE) : undefined;
  const sessions = new CredentialSessionStore(freshReader, secrets, tenantId, credentialId, underWay, lease);
  return callSource({ connection, sessions, send }, { path: '/me' });
}

console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [tenantId, credentialId, times] = line.split(' ');
  const uses = Array.from({ length: Number(times) }, () =>
    use(tenantId, credentialId).then(
      ({ status }) => String(status),
      ({ name, oauthError, code }) => oauthError ?? code ?? name,
    ),
  );
  const counts = {};
  for (const outcome of await Promise.all(uses)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  console.log(`used ${JSON.stringify(counts)}`);
}
