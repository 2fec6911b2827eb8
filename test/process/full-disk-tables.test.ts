import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { FileStoreError } from '../../src/kernel/files/file-store.js';
import { StagingArea } from '../../src/tables/staging/staging-area.js';
import { loadedTables, statesOf, WORD_SCHEMA, writeFiles } from '../support/tables/loaded-tables.js';

const MIB = 2 ** 20;
const FOLDER = await mkdtemp(join(tmpdir(), 'taproot-disk-'));

/** Mounting requires Linux and sufficient rights. */
const IS_MOUNTED = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${8 * MIB}`, 'tmpfs', FOLDER]).status === 0;
const itOnSmallDisk = IS_MOUNTED ? it : it.skip;
if (!IS_MOUNTED) console.warn('Skipped: tests of rows on a full disk, because no file system can be mounted here.');

const loaded = await loadedTables();
const table = await loaded.aTable();

afterAll(async () => {
  if (IS_MOUNTED) spawnSync('umount', [FOLDER]);
  await rm(FOLDER, { recursive: true });
});

/** Rows of 1 MiB each. Random hex digits compress to about half of their size. */
const someRows = (mib: number): string[][] => Array.from({ length: mib }, () => [randomBytes(MIB / 2).toString('hex')]);

itOnSmallDisk('rows that do not fit on the disk are not added to the table, and the error is reported', async () => {
  const staged = await StagingArea.open(join(FOLDER, 'staged'), WORD_SCHEMA);
  const stage = async () => {
    for (const [nth, row] of someRows(12).entries()) {
      staged.add({ batch: randomUUID(), row: nth + 1, receivedAt: '2026-02-03T04:05:06.789Z' }, row);
      await staged.drained();
    }
    await staged.end();
  };
  await expect(stage()).rejects.toMatchObject({ name: 'FileStoreError', code: 'ENOSPC' });
  await expect(staged.drained()).rejects.toThrow(FileStoreError);
  await staged.close();
  expect(await readdir(FOLDER)).toEqual([]);
});

itOnSmallDisk('rows whose Parquet file does not fit are not added either', async () => {
  const services = { ...loaded.services, folder: FOLDER };
  await expect(writeFiles(services, table, someRows(6))).rejects.toThrow(/No space left/);
  expect(await statesOf(loaded, table)).toEqual({});
  expect(await readdir(FOLDER)).toEqual([]);
  expect(await writeFiles(services, table, someRows(1))).toMatchObject([{ rows: 1 }]);
});
