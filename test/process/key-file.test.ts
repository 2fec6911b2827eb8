import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { keyFilePath, loadKeyRing } from '../../src/secrets/key-file.js';
import { newSealingKeys } from '../support/secrets/sealing-database.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproot-key-file-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function write(text: string): Promise<void> {
  await mkdir(dirname(keyFilePath(folder)), { recursive: true });
  await writeFile(keyFilePath(folder), text);
}

describe('the file of sealing keys', () => {
  it('is created once, readable only by its owner regardless of the umask, and its content is valid for SEALING_KEYS', async () => {
    const umask = process.umask(0);
    const ring = await loadKeyRing(folder).finally(() => process.umask(umask));
    const [file, keys] = [await stat(keyFilePath(folder)), await stat(dirname(keyFilePath(folder)))];
    expect([file.mode & 0o777, keys.mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await readFile(keyFilePath(folder), 'utf8')).toMatch(/^local-[0-9A-Za-z]{8}:[A-Za-z0-9+/]{43}=\n$/);
    expect((await loadKeyRing(folder)).newest.key.equals(ring.newest.key)).toBe(true);
  });

  it('is the same for processes that start concurrently, and leaves no other files', async () => {
    const rings = await Promise.all([...Array(8)].map(() => keyInAnotherProcess(folder)));
    const [line] = new Set(rings);
    expect([new Set(rings).size, line]).toEqual([1, expect.stringMatching(/^local-\w{8} [0-9a-f]{64}$/)]);
    expect(await readdir(dirname(keyFilePath(folder)))).toEqual(['sealing-keys']);
  });

  it('is the same for all processes that find no file, even if one process is slower', async () => {
    for (let round = 0; round < 20; round++) {
      const dataDir = join(folder, `${round}`);
      const all = [...Array(12)].map((_, nth) => sleep(nth / 2).then(() => loadKeyRing(dataDir)));
      expect(new Set((await Promise.all(all)).map(({ newest }) => newest.id)).size).toBe(1);
    }
  });

  it('is not created if the database contains keys wrapped by a lost key', async () => {
    await expect(loadKeyRing(folder, async () => true)).rejects.toThrow(/^is missing, but the database holds secrets/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is read if a concurrently starting process has created and used it', async () => {
    let made: string | undefined;
    const ring = await loadKeyRing(folder, async () => {
      made = (await loadKeyRing(folder)).newest.id;
      return true;
    });
    expect(ring.newest.id).toBe(made);
  });

  it('may contain older keys after the newest', async () => {
    await write(newSealingKeys('new', 'old').replace(',', '\n'));
    const ring = await loadKeyRing(folder);
    expect([ring.newest.id, ring.key('old').type]).toEqual(['new', 'secret']);
  });

  it.each([
    ['is empty', '', /^requires at least one entry/],
    ['was cut', newSealingKeys('a').slice(0, 30), /^requires, in entry 1, a key/],
    ['is something else', '{"kty":"OKP"}', /^requires, in entry 1,/],
  ])('is rejected but not deleted if it %s', async (_, text, message) => {
    await write(text);
    await expect(loadKeyRing(folder)).rejects.toThrow(message);
    expect(await readFile(keyFilePath(folder), 'utf8')).toBe(text);
  });

  it('is rejected if it cannot be read or created', async () => {
    await mkdir(keyFilePath(folder), { recursive: true });
    await expect(loadKeyRing(folder)).rejects.toThrow('cannot be read or created (EISDIR)');
    await rm(dirname(keyFilePath(folder)), { recursive: true });
    await writeFile(dirname(keyFilePath(folder)), '');
    await chmod(folder, 0o500);
    await expect(loadKeyRing(folder)).rejects.toThrow('cannot be read or created (ENOTDIR)');
  });
});

function keyInAnotherProcess(dataDir: string): Promise<string> {
  const script = `
    import 'reflect-metadata';
    const { loadKeyRing } = await import(process.argv[1]);
    const { newest } = await loadKeyRing(process.argv[2]);
    process.stdout.write(newest.id + ' ' + newest.key.export().toString('hex'));`;
  const module = join(PROJECT_ROOT, 'dist', 'src', 'secrets', 'key-file.js');
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, module, dataDir]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => child.on('close', () => resolve(output)));
}
