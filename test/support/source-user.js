import 'reflect-metadata';
import { createInterface } from 'node:readline';
import { CredentialSession } from '../../dist/src/instances/credential-session.js';
import { loadConnection } from '../../dist/src/instances/load-connection.js';
import { Outbound } from '../../dist/src/kernel/outbound.js';
import { Readers } from '../../dist/src/kernel/readers.js';
import { Tables } from '../../dist/src/kernel/tables.js';
import { createOrm } from '../../dist/src/orm.js';
import { DataKeys } from '../../dist/src/secrets/data-keys.js';
import { keyRingIn } from '../../dist/src/secrets/key-file.js';
import { SealingStore } from '../../dist/src/secrets/sealing-store.js';
import { callSource } from '../../dist/src/sources/call-source.js';

/**
 * A process that uses stored credentials: for each line `<tenant> <credential> <times>` it calls `/me` of their source so many times at
 * once, and prints what came of it, as status or error with how often.
 */
const { DATABASE_URL, DATA_DIR, LEASE } = process.env;
const orm = createOrm(DATABASE_URL);
const readers = new Readers(new Tables(orm.getMetadata()), await orm.em.getConnection().getNativeClient());
const secrets = new SealingStore(new DataKeys(readers, await keyRingIn(DATA_DIR)));
const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
const send = (url, request) => outbound.request(url, request);

const underWay = new Map();

async function use(tenantId, credentialId) {
  const freshReader = () => readers.ofTenant(tenantId);
  const connection = await loadConnection(freshReader(), secrets, tenantId, credentialId);
  const lease = LEASE ? Number(LEASE) : undefined;
  const sessions = new CredentialSession(freshReader, secrets, tenantId, credentialId, underWay, lease);
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
