import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aConnectedProcess, type ConnectedProcess } from '../support/connected-process.js';
import { offerOf, validate } from '../support/connections.js';
import { faultsOf } from '../support/consistent-connections.js';
import { rowsOf } from '../support/rows.js';
import { atScale } from '../support/soak.js';

const KILLS = atScale(1, 10);
let world: ConnectedProcess;

beforeAll(async () => {
  world = await aConnectedProcess({ JOBS: 'off' });
});

afterAll(() => world.close());

it('a service that is killed while it connects and configures leaves all of it or nothing', async () => {
  const { owner, service, vendor } = world;
  const { authenticationConfig } = vendor.credentials.bearer;
  const offer = await offerOf(owner, 'bearer');
  const connect = () => owner.post('/api/connectors', { ...offer, authenticationConfig });
  const instanceIds: string[] = [];
  for (let nth = 0; nth < 4; nth++) instanceIds.push((await connect()).body.data.id);
  const configure = (instanceId: string) =>
    owner.post('/api/connectors/configure', { instanceId, authenticationConfig });
  let lost = 0;
  for (let kill = 0; kill < KILLS || lost <= KILLS; kill++) {
    let done = 0;
    const work = [0, 1, 2, 3].flatMap((nth) => [connect(), configure(instanceIds[nth] as string), connect()]);
    const ended = work.map((one) => one.then(() => (done += 1)).catch(() => (lost += 1)));
    const wanted = Math.floor(Math.random() * 8); // of 12; most of the others are in the middle then
    while (done < wanted) await sleep(1);
    await sleep(Math.random() * 20);
    await world.replace();
    await Promise.all(ended);
    expect([kill, await faultsOf(service)]).toEqual([kill, {}]);
  }
  const current = await rowsOf(service, 'select count(*)::int as count from tenant_connector_instance');
  expect(current[0]?.count).toBeGreaterThan(4);
  for (const id of instanceIds) {
    const { body } = await owner.request(`/api/vendors/tenant-connector-instances/${id}`);
    expect(await validate(owner, body.data)).toMatchObject({ status: 'valid' });
  }
}, 600_000);
