import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { createFileStore } from '../../src/create-file-store.js';
import { FolderStore } from '../../src/kernel/files/folder-store.js';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { StartupError } from '../../src/kernel/startup-error.js';
import { chunksOf, namesBelow, someBytes } from '../support/artifacts/file-store-contract.js';
import { aProcess } from '../support/processes/test-process.js';
import { atScale } from '../support/soak.js';

const WORKER = join(PROJECT_ROOT, 'dist/test/support/processes/file-store-worker.js');
const MIB = 2 ** 20;
const KILLS = atScale(2, 50);
const LONGEST = 80;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproot-folder-store-'));
});

afterAll(() => rm(folder, { recursive: true }));

function work(command: string, env: Record<string, string>): string[] {
  const { stdout } = spawnSync('sh', ['-c', command, process.execPath, WORKER], { env: { ...process.env, ...env } });
  return String(stdout).trim().split('\n');
}

it(`shows no incomplete file and deletes leftovers after the death of a process, at least ${KILLS} times`, async () => {
  const [size, times] = [4 * MIB, 1_000];
  let left = 0;
  for (let round = 0; round < KILLS || left === 0; round++) {
    const files = join(folder, `killed-${round}`);
    const worker = aProcess({ FOLDER: files, SIZE: `${size}`, TIMES: `${times}` }, WORKER);
    await worker.prints(/ready/);
    await sleep(Math.random() * LONGEST);
    worker.child.kill('SIGKILL');
    await worker.ends();
    const told = worker.output().match(/kept\/file-\d+(?=\n)/g) ?? [];
    const store = await FolderStore.open(files);
    const sizes = await Promise.all(
      Array.from({ length: told.length + 1 }, (_, at) => store.sizeOf(`kept/file-${at}`)),
    );
    expect(sizes.slice(0, -1)).toEqual(told.map(() => size));
    expect([undefined, size]).toContain(sizes.at(-1));
    left += (await namesBelow(join(files, '.parts'))).length;
    for (let at = 0; at <= told.length; at++) await store.delete(`kept/file-${at}`);
    expect(await namesBelow(files)).toEqual([]);
  }
}, 300_000);

it('keeps no part of a file above the size limit of the process, and then stores a smaller file', async () => {
  const files = join(folder, 'limited');
  // `ulimit -f` counts units of 512 bytes, as POSIX defines for sh.
  const large = work('ulimit -f 2048; "$0" "$1"', { FOLDER: files, SIZE: `${2 * MIB}`, TIMES: '1' });
  expect(large).toEqual(['ready', 'FileStoreError EFBIG', 'over']);
  expect(await namesBelow(files)).toEqual([]);
  const small = work('ulimit -f 2048; "$0" "$1"', { FOLDER: files, SIZE: `${MIB / 2}`, TIMES: '1' });
  expect(small).toEqual(['ready', 'kept/file-0', 'over']);
});

const canTrace = spawnSync('strace', ['-V']).status === 0;

(canTrace ? it : it.skip)(
  'syncs a file before it gets its name, and then all its folders (requires strace)',
  async () => {
    const [files, trace] = [join(folder, 'traced'), join(folder, 'trace')];
    work(`strace -f -y -e trace=fsync,link,linkat -o ${trace} "$0" "$1"`, { FOLDER: files, SIZE: '10', TIMES: '1' });
    const calls = String(await readFile(trace))
      .split('\n')
      .filter((line) => line.includes('kept') || line.includes(`${files}>`))
      .map((line) =>
        line
          .replace(/^\d+ +/, '')
          .replace(/[\w-]{36}/, 'ID')
          .replaceAll(files, ''),
      );
    expect(calls.slice(calls.findIndex((line) => line.includes('kept')))).toEqual([
      expect.stringMatching(/^fsync\(\d+<\/.parts\/kept~file-0=ID>\) += 0$/),
      expect.stringMatching(/^link(at)?\(.*"\/.parts\/kept~file-0=ID", .*"\/kept\/file-0".*\) += 0$/),
      expect.stringMatching(/^fsync\(\d+<\/kept>\) += 0$/),
      expect.stringMatching(/^fsync\(\d+<>\) += 0$/),
    ]);
  },
);

/** Mounting requires root, and some containers forbid it. */
const canMount = process.getuid?.() === 0 && process.platform === 'linux' && mounts();

function mounts(): boolean {
  const { status } = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', tmpdir()]);
  return status === 0;
}

(canMount ? describe : describe.skip)('a full disk (requires root with the right to mount)', () => {
  let disk: string;

  beforeEach(async () => {
    disk = await mkdtemp(join(folder, 'disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]);
  });

  afterEach(() => void execFileSync('umount', [disk]));

  it('keeps no part of a file that does not fit, and stores the next file that fits', async () => {
    const store = await FolderStore.open(disk);
    await store.put('small', chunksOf(someBytes(MIB)));
    await expect(store.put('large', chunksOf(someBytes(16 * MIB)))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await namesBelow(disk)).toEqual(['small']);
    await store.put('next', chunksOf(someBytes(6 * MIB)));
    expect((await store.readHead('next', 6 * MIB)).equals(someBytes(6 * MIB))).toBe(true);
  });

  it('keeps no part of a file that is one byte too large', async () => {
    const store = await FolderStore.open(disk);
    await store.put('small', chunksOf(someBytes(100_000)));
    const { bavail, bsize } = await statfs(disk);
    const large = store.put('large', chunksOf(someBytes(bavail * bsize + 1)));
    await expect(large).rejects.toMatchObject({ name: 'FileStoreError', code: 'ENOSPC' });
    expect(await namesBelow(disk)).toEqual(['small']);
  });

  it('stores each concurrent file that fits completely', async () => {
    const store = await FolderStore.open(disk);
    const keys = Array.from({ length: 8 }, (_, at) => `file-${at}`);
    const ends = await Promise.allSettled(keys.map((key) => store.put(key, chunksOf(someBytes(2 * MIB)))));
    const sizes = await Promise.all(keys.map((key) => store.sizeOf(key)));
    expect(sizes).toEqual(ends.map(({ status }) => (status === 'fulfilled' ? 2 * MIB : undefined)));
    expect(sizes).toContain(undefined);
    expect(await namesBelow(join(disk, '.parts'))).toEqual([]);
    await store.put('last', chunksOf(someBytes(100)));
  });

  it('aborts the start if the folder is not writable', async () => {
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const error = await createFileStore(readConfig({ STORAGE_URL: `file://${disk}` })).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(StartupError);
    expect(error.message).toBe(`STORAGE_URL: files cannot be stored in ${disk} (EROFS)`);
  });
});
