import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SealedSecrets, SecretLocation, SecretStore } from '../../src/secrets/secret-store.js';
import { aDatabase, type TestDatabase } from '../support/database/database.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { aProcess, type TestProcess } from '../support/processes/test-process.js';
import { aPlace, newSealingKeys, SealingDatabase } from '../support/secrets/sealing-database.js';
import { atScale } from '../support/soak.js';

const KILLS = atScale(1, 20);
/** So many keys that most kills happen before the rotation ends. */
const DATA_KEYS = atScale(500, 4_000);

/** Seals this many secrets concurrently. With a higher number, some calls would wait too long for a connection. */
const AT_ONCE = 100;

interface Kept {
  readonly place: SecretLocation;
  readonly sealed: SealedSecrets;
}

const BOTH = newSealingKeys('new', 'old');
const [NEW, OLD] = BOTH.split(',') as [string, string];

let database: TestDatabase;
let sealing: SealingDatabase;
let dataDir: string;

beforeEach(async () => {
  database = await aDatabase();
  sealing = await new SealingDatabase(database.url).prepare();
  dataDir = await mkdtemp(join(tmpdir(), 'taproot-rotation-'));
});

afterEach(async () => {
  await sealing.close();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

function rotate(env: Record<string, string> = {}): TestProcess {
  const all = { DATABASE_URL: database.url, DATA_DIR: dataDir, SEALING_KEYS: BOTH, ...env };
  return aProcess(all, 'scripts/rotate-keys.js');
}

async function fill(store: SecretStore, workspaces: number): Promise<Kept[]> {
  const kept: Kept[] = [];
  while (kept.length < workspaces) {
    const some = [...Array(Math.min(AT_ONCE, workspaces - kept.length))].map(async () => {
      const place = aPlace();
      return { place, sealed: await store.seal(place, { token: place.recordId }) };
    });
    kept.push(...(await Promise.all(some)));
  }
  return kept;
}

async function openAll(store: SecretStore, kept: readonly Kept[]): Promise<void> {
  for (const { place, sealed } of kept) expect(await store.open(place, sealed)).toEqual({ token: place.recordId });
}

async function countDataKeysBySealingKey(): Promise<Record<string, number>> {
  const statement = 'select key_id, count(*)::int as n from data_key group by key_id';
  const rows = await queryAsOwner({ databaseUrl: database.url }, statement);
  return Object.fromEntries(rows.map(({ key_id, n }) => [key_id, n]));
}

describe('npm run keys:rotate', () => {
  it(`continues after ${KILLS} kills and leaves no data key that needs the old sealing key`, async () => {
    const kept: Kept[] = [];
    for (let midway = 0; midway < KILLS; ) {
      if (!(await countDataKeysBySealingKey()).old) kept.push(...(await fill(await sealing.store(OLD), DATA_KEYS)));
      const run = rotate();
      await run.prints(/re-wrapped/);
      await sleep(Math.random() * 40);
      run.child.kill('SIGKILL');
      await run.ends();
      const { old = 0, new: done = 0 } = await countDataKeysBySealingKey();
      if (old > 0 && done > 0) midway++;
      expect(old + done).toBe(kept.length);
    }
    await openAll(await sealing.store(BOTH), kept);

    const last = rotate();
    expect(await last.ends()).toBe(0);
    expect(last.output()).toContain(
      `data keys re-wrapped; the key new now wraps ${kept.length} of ${kept.length} data keys\n`,
    );
    expect(await countDataKeysBySealingKey()).toEqual({ new: kept.length });
    await openAll(await sealing.store(NEW), kept);
  }, 600_000);

  it('may run twice concurrently while other processes seal and open secrets', async () => {
    const store = await sealing.store(BOTH, { lifetime: 1 });
    const kept: Kept[] = [];
    let opened = 0;
    while (opened <= 100) {
      kept.push(...(await fill(await sealing.store(OLD), 1_500)));
      const runs = [rotate(), rotate()];
      const ends = Promise.all(runs.map((run) => run.ends()));
      let isOver = false;
      ends.finally(() => (isOver = true));
      while (!isOver) {
        const { place, sealed } = kept[opened++ % kept.length] as Kept;
        await openAll(store, [
          { place, sealed },
          { place, sealed: await store.seal(place, { token: place.recordId }) },
        ]);
        if (opened % 10 === 0) kept.push(...(await fill(store, 1)));
      }
      expect(await ends).toEqual([0, 0]);
    }
    expect(await countDataKeysBySealingKey()).toEqual({ new: kept.length });
    await openAll(await sealing.store(NEW), kept);
  }, 600_000);

  it('reports in one line the keys that it cannot re-wrap, and re-wraps the rest', async () => {
    const lost = newSealingKeys('lost');
    await fill(await sealing.store(OLD), 3);
    await fill(await sealing.store(lost), 2);
    const run = rotate();
    expect(await run.ends()).toBe(1);
    const lines = run.output().trim().split('\n');
    expect(lines).toEqual([
      '3 data keys re-wrapped',
      '3 data keys re-wrapped; the key new now wraps 3 of 5 data keys',
      'Some data keys are wrapped with sealing keys that the command lacks: lost wraps 2. Add these sealing keys after the newest key in SEALING_KEYS (without SEALING_KEYS: in the key file). Then repeat the command.',
    ]);
    expect(await countDataKeysBySealingKey()).toEqual({ lost: 2, new: 3 });
  });

  it('has nothing to do on a second run or without data keys', async () => {
    for (const expected of ['0 of 0', '2 of 2']) {
      const run = rotate();
      expect([await run.ends(), run.output()]).toEqual([
        0,
        expect.stringContaining(`now wraps ${expected} data keys\n`),
      ]);
      if (expected === '0 of 0') await fill(await sealing.store(BOTH), 2);
    }
  });

  it.each([
    ['the keys cannot be read', { SEALING_KEYS: 'a:b' }, /^SEALING_KEYS requires, in entry 1, a key/],
    ['there is no installation', { DATABASE_URL: '' }, /^DATA_DIR: .* contains no database/],
    ['secrets are in a vault', aVault(), /^SECRET_STORE is vault/],
    [
      'there is no database',
      { DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/none' },
      /^DATABASE_URL: .*cannot be reached/,
    ],
  ])('exits with 1 and one line if %s', async (_, env, line) => {
    const run = rotate(env);
    expect(await run.ends()).toBe(1);
    expect(run.output()).toMatch(line);
    expect(run.output().trim().split('\n')).toHaveLength(1);
  });
});

function aVault(): Record<string, string> {
  return { SECRET_STORE: 'vault', SEALING_KEYS: '', VAULT_ADDR: 'https://vault.test', VAULT_TOKEN: 'x' };
}
