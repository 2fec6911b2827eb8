import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inPages, syncedTaps } from '../../support/syncs/synced-taps.js';

const syncs = await syncedTaps();

it('cancelSync stops the running step, keeps the old rows and ends the sync', async () => {
  const connection = await syncs.createConnection({ users: {} });
  connection.vendor.users = inPages(() => [{ id: 1 }]);
  await syncs.start(connection);
  await syncs.runSteps(connection);
  let stoppedBy: unknown;
  connection.vendor.users = inPages(
    () => [{ id: 2 }, { id: 3 }],
    async (offset, signal) => {
      if (offset === 0) return;
      await sleep(60_000, undefined, { signal }).catch((error) => {
        stoppedBy = error.cause;
        throw error;
      });
    },
  );
  const job = await syncs.start(connection);
  const [step] = await syncs.waitingSteps(connection);
  const running = syncs.step(step?.data);
  while ((await syncs.run(connection, 'users')).records_read !== '1') await sleep(50);
  expect(await syncs.job(job)).toMatchObject({ status: 'running' });
  await syncs.cancel(connection, job);
  await running;
  expect(stoppedBy).toMatchObject({ name: 'RunEnded' });
  expect(await syncs.idsIn(connection, 'users')).toEqual([1]);
  expect(await syncs.job(job)).toMatchObject({ status: 'cancelled', finished_at: expect.any(Date) });
  expect(await syncs.run(connection, 'users')).toMatchObject({ status: 'cancelled', records_read: '0' });
  await syncs.cancel(connection, job);
  await syncs.runSteps(connection);
  expect((await syncs.job(job)).status).toBe('cancelled');
});
