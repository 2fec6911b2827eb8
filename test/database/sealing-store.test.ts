import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createErrorReporter } from '../../src/http/report-error.js';
import { toAppError } from '../../src/kernel/errors.js';
import { decodeId, newId } from '../../src/kernel/ids.js';
import { SealingKeyMissing } from '../../src/secrets/key-ring.js';
import type { SealingStore } from '../../src/secrets/sealing-store.js';
import { SecretsUnreadable } from '../../src/secrets/secret-store.js';
import { aDatabase, type TestDatabase } from '../support/database/database.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { aPlace, newSealingKeys, SealingDatabase } from '../support/secrets/sealing-database.js';
import { type SealedField, tamperedFieldsOf } from '../support/secrets/tampered-secrets.js';
import { atScale } from '../support/soak.js';

const ATTACKS = atScale(1_000, 10_000);

const KEYS = newSealingKeys('new', 'old');
const [, OLD] = KEYS.split(',') as [string, string];

let database: TestDatabase;
let sealing: SealingDatabase;
let store: SealingStore;

beforeAll(async () => {
  database = await aDatabase();
  sealing = await new SealingDatabase(database.url).prepare();
  store = await sealing.store(KEYS);
});

afterAll(async () => {
  await sealing.close();
  await database.drop();
});

const run = (statement: string, values: unknown[] = []) =>
  queryAsOwner({ databaseUrl: database.url }, statement, values);
const refusalOf = (opening: Promise<unknown>) => opening.then(() => 'opened', String);
const UNREADABLE = String(new SecretsUnreadable());

async function aSealed(field = 'token', place = aPlace()): Promise<SealedField> {
  return { place, field, text: (await store.seal(place, { [field]: 'geheim' }))[field] as string };
}

describe('the sealing store', () => {
  it.each([
    ['no field', {}],
    ['an empty text', { a: '' }],
    ['any characters', { a: 'grüße → 🔑\0\n', 'b.c/d "e"': 'x', constructor: 'y' }],
    ['a long text', { a: 'x'.repeat(200_000) }],
  ])('returns %s unchanged, in another process too', async (_, secrets) => {
    const place = aPlace();
    const sealed = await store.seal(place, secrets);
    expect(Object.keys(sealed)).toEqual(Object.keys(secrets));
    expect(await store.open(place, sealed)).toEqual(secrets);
    expect(await (await sealing.store(KEYS)).open(place, sealed)).toEqual(secrets);
    await expect(store.destroy()).resolves.toBeUndefined();
  });

  it('seals a secret differently each time and opens every field separately', async () => {
    const place = aPlace();
    const sealed = await store.seal(place, { a: 'same', b: 'same' });
    expect(sealed.a).not.toBe(sealed.b);
    expect(await store.open(place, { b: sealed.b as string })).toEqual({ b: 'same' });
  });

  it(`rejects ${ATTACKS} strings that were moved, changed, cut or sealed elsewhere, all with the same error`, async () => {
    const { tenantId } = aPlace();
    const one = await aSealed('token', aPlace(tenantId));
    const others = [await aSealed('token', aPlace(tenantId)), await aSealed('secret', one.place), await aSealed()];
    const attacks = tamperedFieldsOf(one, others, ATTACKS);
    const outcomes = new Set<string>();
    while (attacks.length > 0) {
      const some = attacks.splice(0, 100); // More concurrent calls would wait too long for a connection.
      const opened = some.map(({ place, field, text }) => refusalOf(store.open(place, { [field]: text })));
      for (const outcome of await Promise.all(opened)) outcomes.add(outcome);
    }
    expect(outcomes).toEqual(new Set([UNREADABLE]));
    expect(await store.open(one.place, { token: one.text })).toEqual({ token: 'geheim' });
  });

  it('rejects a whole record if one field is invalid or not a string', async () => {
    const { place, text } = await aSealed();
    expect(await refusalOf(store.open(place, { token: text, other: text }))).toBe(UNREADABLE);
    for (const other of [null, 1, [text], { text }])
      expect(await refusalOf(store.open(place, { token: other as never }))).toBe(UNREADABLE);
  });

  it('creates one data key per workspace, even with concurrent starts', async () => {
    const stores = await Promise.all([...Array(6)].map(() => sealing.store(KEYS)));
    for (let round = 0; round < 10; round++) {
      const tenantId = newId();
      const all = await Promise.all(
        stores.map(async (one) => {
          const place = aPlace(tenantId);
          return { place, sealed: await one.seal(place, { a: 'b' }) };
        }),
      );
      for (const { place, sealed } of all) expect(await store.open(place, sealed)).toEqual({ a: 'b' });
      const made = await run('select id from data_key where tenant_id = $1', [decodeId(tenantId)]);
      expect(made).toHaveLength(1);
    }
  });
});

describe('a data key', () => {
  it('is wrapped by the newest key of the ring and bound to its workspace', async () => {
    const [one, other] = [await aSealed(), await aSealed()];
    const find = 'select id, key_id, wrapped from data_key where tenant_id = $1';
    const [mine] = await run(find, [decodeId(one.place.tenantId)]);
    expect(mine).toMatchObject({ key_id: 'new', wrapped: expect.stringMatching(/^w1\.[\w-]{80}$/) });
    const swap = 'update data_key set wrapped = $2 where tenant_id = $1';
    await run(swap, [decodeId(other.place.tenantId), mine?.wrapped]);
    const fresh = await sealing.store(KEYS);
    expect(await refusalOf(fresh.open(other.place, { token: other.text }))).toBe(UNREADABLE);
    expect(await refusalOf(fresh.seal(other.place, { token: 'x' }))).toBe(UNREADABLE);
    expect(await fresh.open(one.place, { token: one.text })).toEqual({ token: 'geheim' });
  });

  it.each([
    ['another key id of the ring', "key_id = 'old'"],
    ['another version', "wrapped = replace(wrapped, 'w1.', 'w2.')"],
    ['appended characters', "wrapped = wrapped || '.x'"],
    ['a truncated end', 'wrapped = left(wrapped, -1)'],
    ['an empty value', "wrapped = ''"],
    ['another id', 'id = gen_random_uuid()'],
  ])('does not open with %s', async (_, change) => {
    const { place, text } = await aSealed();
    await run(`update data_key set ${change} where tenant_id = $1`, [decodeId(place.tenantId)]);
    const fresh = await sealing.store(KEYS);
    expect(await refusalOf(fresh.open(place, { token: text }))).toBe(UNREADABLE);
    expect(await refusalOf(fresh.seal(place, { token: 'x' }))).toBe(UNREADABLE);
  });

  it('wrapped by a missing key throws an error with the id of that key', async () => {
    const { place, text } = await aSealed();
    const without = await sealing.store(OLD);
    for (const call of [without.open(place, { token: text }), without.seal(place, { token: 'x' })])
      await expect(call).rejects.toThrow(new SealingKeyMissing('new'));
  });

  it('wrapped by a missing key logs the key id for the operator and hides it from clients', async () => {
    const [lines, error] = [[] as string[], new SealingKeyMissing('2026')];
    const log = pino({}, { write: (line) => void lines.push(line) });
    createErrorReporter(log)(error, 'a-request');
    expect(lines.join()).toContain('The sealing key 2026 is not among the configured sealing keys. Add the key again.');
    expect(toAppError(error)).toMatchObject({ code: 'INTERNAL', message: expect.not.stringContaining('2026') });
  });

  it('that is deleted is not used for sealing, and not for opening once its cache entry expires', async () => {
    const brief = await sealing.store(KEYS, { lifetime: 200 });
    const { place, text } = await aSealed();
    expect(await brief.open(place, { token: text })).toEqual({ token: 'geheim' });
    await run('delete from data_key where tenant_id = $1', [decodeId(place.tenantId)]);
    expect(await refusalOf((await sealing.store(KEYS)).open(place, { token: text }))).toBe(UNREADABLE);
    const again = await brief.seal(place, { token: 'new' });
    expect(again.token?.split('.')[1]).not.toBe(text.split('.')[1]);
    for (let read = 0; read < 5; read++) {
      await refusalOf(brief.open(place, { token: text })); // The use of a cache entry does not extend its lifetime.
      await sleep(60);
    }
    expect(await refusalOf(brief.open(place, { token: text }))).toBe(UNREADABLE);
    expect(await brief.open(place, again)).toEqual({ token: 'new' });
  });
});

it('printing an error or a store shows no secret and no key', async () => {
  const place = aPlace();
  const sealed = await store.seal(place, { token: 'canary-of-the-secret' });
  const wrong = { token: `${sealed.token?.slice(0, -4)}AAAA` };
  const other = await sealing.store(OLD);
  const errors = await Promise.all(
    [
      store.open(place, wrong),
      store.open({ ...place, recordId: newId() }, sealed),
      other.open(place, sealed),
      store.seal({ ...place, tenantId: 'no id' }, { token: 'canary-of-the-secret' }),
    ].map((call) => call.then(String, (error: Error) => error)),
  );
  for (const error of errors) expect(error).toBeInstanceOf(Error);
  const printed = [...errors, store].map((one) => inspect(one, { depth: 6, showHidden: true })).join('\n');
  const raw = KEYS.split(',').map((entry) => Buffer.from(entry.split(':')[1] as string, 'base64'));
  const forms = raw.flatMap((key) => [key.toString('base64'), key.toString('hex'), key.toString('base64url')]);
  for (const form of ['canary-of-the-secret', ...forms]) expect(printed).not.toContain(form);
});
