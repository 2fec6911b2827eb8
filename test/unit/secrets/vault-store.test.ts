import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/kernel/errors.js';
import { newId } from '../../../src/kernel/ids.js';
import { OutboundClient } from '../../../src/kernel/outbound/outbound-client.js';
import { SecretsUnreadable } from '../../../src/secrets/secret-store.js';
import { VaultClient, type VaultSettings } from '../../../src/secrets/vault-client.js';
import { VaultStore } from '../../../src/secrets/vault-store.js';
import { aPlace } from '../../support/secrets/sealing-database.js';
import { VaultServer } from '../../support/servers/vault-server.js';

const SECRETS = { token: 'canary-of-the-secret', 'pass word': 'grüße → 🔑' };

let server: VaultServer;
let outbounds: OutboundClient[];

beforeEach(async () => {
  outbounds = [];
  server = await new VaultServer().open();
});

afterEach(async () => {
  for (const outbound of outbounds) await outbound.close();
  await server.close();
});

function aStore(settings: Partial<VaultSettings> = {}, allow = ['127.0.0.1/32']): VaultStore {
  const outbound = new OutboundClient({ allow });
  outbounds.push(outbound);
  const given = { address: server.url, mount: 'secret', prefix: 'taproot', namespace: undefined };
  return new VaultStore(new VaultClient({ ...given, token: { value: server.token }, ...settings }, outbound));
}

const pathOf = ({ tenantId, recordId }: ReturnType<typeof aPlace>) => `taproot/${tenantId}/${recordId}`;
const errorOf = (call: Promise<unknown>): Promise<AppError> =>
  call.then(
    (value) => Promise.reject(new Error(`opened ${JSON.stringify(value)}`)),
    (error) => error,
  );

describe('VaultStore', () => {
  it('stores all secrets of a record in one entry and returns a reference to it', async () => {
    const place = aPlace();
    const sealed = await aStore().seal(place, SECRETS);
    expect(sealed).toEqual({ token: `v1.1.${pathOf(place)}`, 'pass word': `v1.1.${pathOf(place)}` });
    expect(server.entries.get(pathOf(place))).toMatchObject([{ data: SECRETS }]);
    expect(await aStore().open(place, sealed)).toEqual(SECRETS);
    expect(server.requested).toEqual([
      `POST /v1/secret/data/${pathOf(place)}`,
      `GET /v1/secret/data/${pathOf(place)}?version=1`,
    ]);
  });

  it('stores secrets of a record with a suffix in a separate entry', async () => {
    const [store, place] = [aStore(), aPlace()];
    const part = { ...place, recordId: `${place.recordId}.session` };
    const [whole, session] = [await store.seal(place, SECRETS), await store.seal(part, { token: 'another' })];
    expect(await store.open(part, session)).toEqual({ token: 'another' });
    await expect(store.open(place, session)).rejects.toThrow(SecretsUnreadable);
    await store.destroy(part);
    expect(await store.open(place, whole)).toEqual(SECRETS);
  });

  it('opens the sealed version after later seals, including single fields', async () => {
    const [store, place] = [aStore(), aPlace()];
    const first = await store.seal(place, SECRETS);
    const second = await store.seal(place, { token: 'later' });
    expect(await store.open(place, second)).toEqual({ token: 'later' });
    expect(await store.open(place, { token: first.token as string })).toEqual({ token: SECRETS.token });
  });

  it('deletes the entry with all its versions, and succeeds without one', async () => {
    const [store, place] = [aStore(), aPlace()];
    const sealed = await store.seal(place, SECRETS);
    await store.seal(place, SECRETS);
    await store.destroy(place);
    expect([...server.entries]).toEqual([]);
    expect(await errorOf(store.open(place, sealed))).toEqual(new SecretsUnreadable());
    await store.destroy(place);
  });

  it('makes no call without secrets', async () => {
    expect([await aStore().seal(aPlace(), {}), await aStore().open(aPlace(), {})]).toEqual([{}, {}]);
    expect(server.requested).toEqual([]);
  });

  it('uses mount, prefix and namespace', async () => {
    Object.assign(server, { mount: 'team/kv', namespace: 'admin/eu' });
    const [store, place] = [aStore({ mount: 'team/kv', prefix: 'a/b', namespace: 'admin/eu' }), aPlace()];
    expect(await store.open(place, await store.seal(place, SECRETS))).toEqual(SECRETS);
    expect([...server.entries.keys()]).toEqual([`a/b/${place.tenantId}/${place.recordId}`]);
  });

  it('reads a renewed token from its file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'taproot-vault-'));
    const file = join(folder, 'token');
    const [store, place] = [aStore({ token: { file } }), aPlace()];
    expect(await errorOf(store.seal(place, SECRETS))).toMatchObject({ code: 'UNAVAILABLE' });
    for (const token of ['s.one', 's.two']) {
      server.token = token;
      await writeFile(file, `${token}\n`);
      expect(await store.open(place, await store.seal(place, SECRETS))).toEqual(SECRETS);
    }
    await rm(folder, { recursive: true });
  });

  it('rejects secrets too large to be read again, and paths without ids', async () => {
    const store = aStore();
    const most = { token: '<'.repeat(40 * 1024 - '{"data":{"token":""}}'.length) };
    const place = aPlace();
    expect(await store.open(place, await store.seal(place, most))).toEqual(most);
    expect(await errorOf(store.seal(place, { token: `${most.token}<` }))).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    for (const recordId of ['..', '../x', 'a/b', '', '%2e%2e'])
      expect(await errorOf(store.seal({ ...place, recordId }, SECRETS))).toBeInstanceOf(TypeError);
    expect(server.requested).toHaveLength(2);
  });
});

describe('a reference', () => {
  it('opens only with its own location and unchanged', async () => {
    const [store, place, other] = [aStore(), aPlace(), aPlace()];
    const [{ token }, { token: foreign }] = [await store.seal(place, SECRETS), await store.seal(other, SECRETS)];
    const wrong = [
      foreign,
      `${token}/`,
      `${token}x`,
      ` ${token}`,
      token?.replace('v1.1', 'v1.2'),
      token?.replace('v1.1', 'v1.0'),
      token?.replace('v1.1', 'v1.01'),
      token?.replace('v1.1', 'v2.1'),
      token?.replace('v1.1', 'v1.99999999999'),
      `v1.1.taproot/../${pathOf(place)}`,
      `s1.${newId()}.AAAA`,
      'v1.1.',
      '',
      1,
      null,
    ];
    for (const text of wrong)
      expect([text, await errorOf(store.open(place, { token: text as never }))]).toEqual([
        text,
        new SecretsUnreadable(),
      ]);
    for (const moved of [other, { ...place, recordId: newId() }, { ...place, tenantId: other.tenantId }])
      expect(await errorOf(store.open(moved, { token: token as string }))).toEqual(new SecretsUnreadable());
    const mixed = { token: token as string, 'pass word': foreign as string };
    expect(await errorOf(store.open(place, mixed))).toEqual(new SecretsUnreadable());
    expect(await errorOf(store.open(place, { other: token as string }))).toEqual(new SecretsUnreadable());
    expect(await errorOf(store.open(place, { constructor: token as string }))).toEqual(new SecretsUnreadable());
  });

  it.each([
    ['was deleted', null],
    ['is not text', { token: 1 }],
    ['lacks the field', { other: 'x' }],
  ])('cannot be opened if its version %s', async (_, data) => {
    const [store, place] = [aStore(), aPlace()];
    const sealed = await store.seal(place, { token: 'x' });
    server.entries.set(pathOf(place), [{ data, deletion_time: '2026-01-01T00:00:00Z' }]);
    expect(await errorOf(store.open(place, sealed))).toEqual(new SecretsUnreadable());
  });

  it('cannot be opened if the server returns another version', async () => {
    const [store, place] = [aStore(), aPlace()];
    const sealed = await store.seal(place, SECRETS);
    server.answer = (_, response) =>
      response.end(JSON.stringify({ data: { data: SECRETS, metadata: { version: 2 } } }));
    expect(await errorOf(store.open(place, sealed))).toEqual(new SecretsUnreadable());
  });
});

describe('fails with UNAVAILABLE, without quoting the response,', () => {
  const replying =
    (status: number, body = '{"errors":["canary-of-the-secret"]}') =>
    (_: unknown, response: ServerResponse) =>
      response.writeHead(status).end(body);

  it.each([
    ['refuses', replying(403)],
    ['is sealed', replying(503)],
    ['is a standby', replying(473)],
    ['breaks', replying(500)],
    ['is rate-limiting', replying(429)],
    ['rejects the request', replying(400)],
    [
      'redirects',
      (_: unknown, response: ServerResponse) => response.writeHead(307, { location: 'http://10.0.0.1/' }).end(),
    ],
    ['responds with something other than JSON', replying(200, 'canary-of-the-secret')],
    ['responds with null', replying(200, 'null')],
    [
      'responds with too many bytes',
      replying(200, JSON.stringify({ data: { version: 1 }, x: 'x'.repeat(256 * 1024) })),
    ],
    ['closes the connection', (_: unknown, response: ServerResponse) => response.destroy()],
    ['does not answer', () => undefined],
  ])('if it %s', async (_, answer) => {
    server.answer = answer;
    const place = aPlace();
    const sealed = { token: `v1.1.${pathOf(place)}` };
    const store = aStore();
    const errors = await Promise.all([store.seal(place, SECRETS), store.open(place, sealed)].map(errorOf));
    for (const error of errors) {
      expect([error.code, error.message]).toEqual([
        'UNAVAILABLE',
        'The secret store is unavailable. Try again shortly.',
      ]);
      expect(inspect(error, { depth: Infinity, showHidden: true })).not.toMatch(/canary|s\.first-token/);
    }
  });

  it('if its address is not allowed or the engine does not exist', async () => {
    expect(await errorOf(aStore({}, []).seal(aPlace(), SECRETS))).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await errorOf(aStore({ mount: 'other' }).seal(aPlace(), SECRETS))).toMatchObject({ code: 'UNAVAILABLE' });
  });
});
