import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addressOf, aProcess } from '../support/processes/test-process.js';

it('npm run demo ends with the tables of all taps after its worker was killed, and with a control chart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'taproot-tour-'));
  const demo = aProcess({}, 'scripts/demo.js', [], folder);
  expect([await demo.ends(), demo.output()]).toEqual([0, expect.stringContaining('10  Open demo-null-rate.svg')]);
  const [, resumed = ''] = demo.output().split('3  Start another worker');
  expect(resumed).toContain('tables: addresses 60 rows, customers 40 rows, orders 2000 rows');
  expect(await readdir(folder)).toEqual(['demo-null-rate.svg']);
  await rm(folder, { recursive: true });
});

it('npm run start:example starts the service with the Fake Shop in its catalog', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'taproot-example-'));
  const example = aProcess({ DATA_DIR: folder, LOG_LEVEL: 'silent' }, 'scripts/start-example.js');
  const url = await addressOf(example);
  const { data } = await (await fetch(`${url}/api/vendors/platform-vendor-groupings/fake-shop`)).json();
  expect(data).toMatchObject([{ name: 'Fake Shop' }]);
  expect((await fetch('http://127.0.0.1:4010/v1/me')).status).toBe(401);
  example.child.kill('SIGINT');
  expect(await example.ends()).toBe(0);
  await rm(folder, { recursive: true });
});
