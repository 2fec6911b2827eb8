import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aProcess } from '../support/processes/test-process.js';

it('npm run demo ends with the tables of all taps after its worker was killed, and with a control chart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'taproot-tour-'));
  const demo = aProcess({}, 'scripts/demo.js', [], folder);
  expect([await demo.ends(), demo.output()]).toEqual([0, expect.stringContaining('10  Open demo-null-rate.svg')]);
  const [, resumed = ''] = demo.output().split('3  Start another worker');
  expect(resumed).toContain('tables: customers 40 rows, orders 2000 rows, addresses 60 rows');
  expect(await readdir(folder)).toEqual(['demo-null-rate.svg']);
  await rm(folder, { recursive: true });
});
