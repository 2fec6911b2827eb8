import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aConnectedProcess, type ConnectedProcess } from '../support/processes/connected-process.js';
import type { Client } from '../support/service/service.js';
import { atScale } from '../support/soak.js';
import { connect, validateCredential } from '../support/sources/connected-workspace.js';

const ROUNDS = atScale(10, 40);

let world: ConnectedProcess;
let secondProcess: Client;
let credential: { credentialMetadataId: string };

beforeAll(async () => {
  world = await aConnectedProcess({ JOBS: 'off' });
  secondProcess = await world.secondProcess();
  await secondProcess.request('/api/users/me'); // The first response of a process is slow.
});

afterAll(() => world.close());

beforeEach(async () => {
  const { owner, vendor } = world;
  vendor.slowness = 0;
  credential = (await connect(owner, 'bearer', vendor.credentials.bearer)).body.data;
  vendor.calls.length = 0;
});

describe('two processes that test one credential concurrently', () => {
  it.each(['never', 'before'])('test it once and return the same result if it was %s tested', async (when) => {
    const { owner, vendor } = world;
    if (when === 'before') await validateCredential(owner, credential);
    vendor.calls.length = 0;
    vendor.slowness = 2_000; // Both requests arrive within this time, even on a busy machine.
    const [one, other] = await Promise.all([
      validateCredential(owner, credential),
      validateCredential(secondProcess, credential),
    ]);
    expect([other, vendor.calls.length]).toEqual([one, 1]);
  });

  it('always return a result', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const clients = [world.owner, secondProcess, world.owner, secondProcess];
      const found = await Promise.all(clients.map((client) => validateCredential(client, credential)));
      expect(found.map(({ status }) => status)).toEqual(clients.map(() => 'valid'));
    }
  });
});
