import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PEOPLE_CSV, upload } from '../support/artifacts/artifact-requests.js';
import { rowsFor } from '../support/artifacts/hostile-files.js';
import { filesBelow } from '../support/artifacts/stored-files.js';
import { aDatabase, CLONED_DATABASE_ENV, type TestDatabase } from '../support/database/database.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { addressOf, aProcess, type TestProcess } from '../support/processes/test-process.js';
import { clientFor } from '../support/service/callers.js';
import type { Client } from '../support/service/service.js';

const DISK = 8 * 1024 * 1024;
const FOLDER = await mkdtemp(join(tmpdir(), 'taproot-disk-'));

/** Mounting requires Linux and sufficient rights. */
const IS_MOUNTED = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', FOLDER]).status === 0;
const itOnSmallDisk = IS_MOUNTED ? it : it.skip;
if (!IS_MOUNTED) console.warn('Skipped: tests of uploads on a full disk, because no file system can be mounted here.');

const dataDir = await mkdtemp(join(tmpdir(), 'taproot-full-'));
let database: TestDatabase;
let service: TestProcess;
let owner: Client;

beforeAll(async () => {
  database = await aDatabase();
  if (!IS_MOUNTED) return;
  const storage = pathToFileURL(join(FOLDER, 'files')).href;
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    STORAGE_URL: storage,
    LOG_LEVEL: 'silent',
    ...CLONED_DATABASE_ENV,
  };
  service = aProcess(env);
  owner = clientFor({ url: await addressOf(service), dataDir }, 'owner@demo.test');
});

afterAll(async () => {
  service?.child.kill('SIGKILL');
  await service?.ends();
  await database.drop();
  if (IS_MOUNTED) spawnSync('umount', [FOLDER]);
  for (const folder of [FOLDER, dataDir]) await rm(folder, { recursive: true });
});

const kept = async () => ({
  rows: await queryAsOwner({ databaseUrl: database.url }, 'select upload_status from artifact'),
  files: await filesBelow(FOLDER),
});

itOnSmallDisk(
  'an upload that does not fit on the disk is rejected, leaves no file, and the next one succeeds',
  async () => {
    const { status, headers, body } = await upload(owner, { content: rowsFor(2 * DISK) });
    expect([status, headers.get('x-error-code'), body]).toEqual([
      422,
      'WA-AF-029',
      { error: expect.stringMatching(/^WA-AF-029: /) },
    ]);
    expect(await kept()).toEqual({ rows: [], files: [] });
    expect((await upload(owner, { content: PEOPLE_CSV })).status).toBe(200);
  },
);

itOnSmallDisk('concurrent uploads that exceed the disk are stored whole or not at all', async () => {
  const content = rowsFor(DISK / 2);
  const replies = await Promise.all([0, 1, 2, 3].map(() => upload(owner, { content })));
  const statuses = replies.map(({ status }) => status);
  // If each upload takes a part of the space before one of them is complete, all uploads fail.
  expect([200, 422]).toEqual(expect.arrayContaining(statuses));
  expect(statuses).toContain(422);
  const { rows, files } = await kept();
  const stored = statuses.filter((status) => status === 200).length + 1; // The previous test has stored one file.
  expect([rows, files.length]).toEqual([Array(stored).fill({ upload_status: 'ready' }), stored]);
});
