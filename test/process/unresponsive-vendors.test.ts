import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { aConnectedProcess, type ConnectedProcess } from '../support/processes/connected-process.js';
import { clientFor } from '../support/service/callers.js';
import type { Client } from '../support/service/service.js';
import { createTestWorkspace } from '../support/service/test-workspace.js';
import { atScale } from '../support/soak.js';
import { connect, getInstance, offerOf, validateCredential } from '../support/sources/connected-workspace.js';
import { neverReply } from '../support/vendors/vendor-responses.js';

const HANGING = atScale(40, 200);
const TEST_PATH = '/bearer/me';

/** Queued credential tests. The service runs far fewer tests at the same time. */
const WAITING = 40;

async function connections(client: Client, { vendor }: ConnectedProcess, count: number): Promise<string[]> {
  const { authenticationConfig } = vendor.credentials.bearer;
  const body = { ...(await offerOf(client, 'bearer')), authenticationConfig };
  const ids: string[] = [];
  for (let left = count; left > 0; left -= 10) {
    const replies = await Promise.all(
      Array.from({ length: Math.min(10, left) }, () => client.post('/api/connectors', body)),
    );
    for (const reply of replies) ids.push(reply.body.data.credentialMetadataId);
  }
  return ids;
}

describe(`tests that wait for ${HANGING} vendors`, () => {
  let world: ConnectedProcess;
  let ids: string[];
  beforeAll(async () => {
    world = await aConnectedProcess({ JOBS: 'off' });
    ids = await connections(world.owner, world, HANGING);
  }, 300_000);
  afterAll(() => world.close());

  it.each([
    ['', {}],
    [' with an Idempotency-Key', { 'idempotency-key': 'once' }],
  ])('hold no database connection and delay no other request%s', async (_, headers) => {
    const { owner, vendor } = world;
    vendor.calls.length = 0;
    vendor.behave(TEST_PATH, neverReply());
    const tests = ids.map((credentialMetadataId, at) => {
      const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}-${at}`]));
      return owner.post('/api/connectors/validate', { credentialMetadataId }, own);
    });
    await waitUntil(() => vendor.callsTo(TEST_PATH).length === HANGING);
    const ended = tests.map(() => false);
    for (const [at, one] of tests.entries()) one.then(() => (ended[at] = true));
    // The service commits its writes before it calls the vendor, and needs no database connection during the call.
    await waitUntil(async () => (await busyConnections(world)).length === 0);
    expect(ended).toContain(false);
    expect(await answersOf(owner, 100)).toEqual(new Set([200]));
    const messages = (await Promise.all(tests)).map(({ body }) => body.data?.message);
    expect(new Set(messages)).toEqual(new Set(['The source did not respond in time.']));
    vendor.recover();
  });
});

async function answersOf(client: Client, count: number): Promise<Set<number>> {
  const replies = await Promise.all(Array.from({ length: count }, () => client.request('/api/users/me')));
  return new Set(replies.map(({ status }) => status));
}

function busyConnections({ service }: ConnectedProcess): Promise<object[]> {
  const mine = 'datname = current_database() and pid <> pg_backend_pid()';
  return queryAsOwner(service, `select state, query from pg_stat_activity where ${mine} and state <> 'idle'`);
}

describe('a full queue of hanging tests', () => {
  let world: ConnectedProcess;
  beforeAll(async () => {
    world = await aConnectedProcess();
  });
  afterAll(() => world.close());

  it('does not delay the tests of another workspace', async () => {
    const { owner, vendor, service } = world;
    vendor.behave(TEST_PATH, neverReply());
    await connections(owner, world, WAITING);
    await waitUntil(() => vendor.callsTo(TEST_PATH).length > 0);
    await createTestWorkspace(service, 'other');
    const other = clientFor(service, 'owner@other.test', 'other');
    const instance = (await connect(other, 'basic', vendor.credentials.basic)).body.data;
    await waitUntil(async () => (await getInstance(other, instance)).credentialStatus === 'valid');
    expect(vendor.callsTo(TEST_PATH).length).toBeLessThan(WAITING); // The last queued credential test has not started.
    vendor.recover();
    expect(await validateCredential(other, instance)).toMatchObject({ status: 'valid' });
  });
});
