import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findProcess } from '../../../src/database/find-process.js';
import { deleteKilledRuns } from '../../support/processes/delete-killed-runs.js';

it('deletes only folders of ended processes, and no folder that a run has just created', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'taproot-runs-'));
  for (const name of ['run-live', 'run-dead', 'run-new', 'other'])
    await mkdir(join(parent, name, 'data'), { recursive: true });
  const { ppid } = process; // The parent process is running, and is not this process.
  await writeFile(join(parent, 'run-live', 'service-1.pid'), `${ppid} ${(await findProcess(`${ppid}`))?.started}\n`);
  for (const name of ['run-dead', 'other'])
    await writeFile(join(parent, name, 'service-1.pid'), `${process.ppid} another start\n`);
  await deleteKilledRuns(parent, 'run-');
  expect((await readdir(parent)).sort()).toEqual(['other', 'run-live', 'run-new']);
  await rm(parent, { recursive: true });
});
