import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeId } from '../../src/kernel/ids.js';
import { countInconsistencies } from '../support/database/connection-consistency.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { aConnectedProcess, type ConnectedProcess } from '../support/processes/connected-process.js';
import { atScale } from '../support/soak.js';
import { offerOf, validateCredential } from '../support/sources/connected-workspace.js';

const KILLS = atScale(1, 10);
let world: ConnectedProcess;

beforeAll(async () => {
  world = await aConnectedProcess({ JOBS: 'off' });
});

afterAll(() => world.close());

it('a service that is killed while it creates and configures connections stores each connection completely or not at all', async () => {
  const { owner, service, vendor } = world;
  const { authenticationConfig } = vendor.credentials.bearer;
  const offer = await offerOf(owner, 'bearer');
  const acknowledged: string[] = [];
  const connect = async () => {
    acknowledged.push((await owner.post('/api/connectors', { ...offer, authenticationConfig })).body.data.id);
  };
  for (let nth = 0; nth < 4; nth++) await connect();
  const configured = [...acknowledged];
  const configure = (instanceId: string) =>
    owner.post('/api/connectors/configure', { instanceId, authenticationConfig });
  let lost = 0;
  const bothHappened = () => lost > KILLS && acknowledged.length > configured.length;
  for (let kill = 0; kill < KILLS || !bothHappened(); kill++) {
    let done = 0;
    const work = configured.flatMap((id) => [connect(), configure(id), connect()]);
    const ended = work.map((one) => one.then(() => (done += 1)).catch(() => (lost += 1)));
    // The kill occurs when this many of the 12 requests have ended. Most of the remaining requests are then in
    // progress.
    const wanted = Math.floor(Math.random() * 8);
    while (done < wanted) await sleep(1);
    await sleep(Math.random() * 20);
    await world.replace();
    await Promise.all(ended);
    expect([kill, await countInconsistencies(service)]).toEqual([kill, {}]);
  }
  const kept = await queryAsOwner(service, 'select id from tenant_connector_instance');
  expect(kept.map((row) => encodeId(row.id))).toEqual(expect.arrayContaining(acknowledged));
  for (const id of configured) {
    const { body } = await owner.request(`/api/vendors/tenant-connector-instances/${id}`);
    expect(await validateCredential(owner, body.data)).toMatchObject({ status: 'valid' });
  }
}, 600_000);
