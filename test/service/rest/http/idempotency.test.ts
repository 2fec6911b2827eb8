import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../bench/support/seeded-random.js';
import { decodeId, newId } from '../../../../src/kernel/ids.js';
import { seed } from '../../../support/catalog/definition-builders.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { runAcrossCrashes } from '../../../support/processes/crash-cycles.js';
import {
  anApiKeyClient,
  clientFor,
  queryField,
  roleIdOf,
  setUserRoles,
  userIdOf,
} from '../../../support/service/callers.js';
import { INVITATIONS } from '../../../support/service/invitations.js';
import { anOpenTransaction } from '../../../support/service/open-transaction.js';
import { errorCodeOf, isReplay } from '../../../support/service/replies.js';
import { aService, type Client, type Reply } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';
import { atScale } from '../../../support/soak.js';

const service = aService();
const owner = service.as('owner');
const REQUESTS = '/api/connector-requests/connector-requests';
let viewerRole: string;
let count = 0;

beforeAll(async () => {
  viewerRole = await roleIdOf(owner, 'viewer');
});

const aKey = (): string => `key-${++count}`;
const anEmail = (): string => `person${++count}@x.test`;

function invite(key: string, email: string, client: Client = owner, roleId = viewerRole): Promise<Reply> {
  return client.post(INVITATIONS, { email, roleIds: [roleId] }, { 'idempotency-key': key });
}

function requestConnector(key: string, fields: object, client: Client = owner): Promise<Reply> {
  return client.post(REQUESTS, fields, { 'idempotency-key': key });
}

function savedResponses(key: string): Promise<object[]> {
  return queryAsOwner(service, 'select 1 from idempotent_request where key = $1', [key]);
}

function invitationsOf(email: string): Promise<object[]> {
  return queryAsOwner(service, 'select 1 from invitation where email = $1', [email]);
}

async function decline(id: string): Promise<void> {
  const query = 'mutation ($id: Base62Id!) { moveConnectorRequest(id: $id, status: declined) { id } }';
  await queryField(owner, query, { id });
}

describe('repeated requests with the same Idempotency-Key', () => {
  it('are executed once and get the same response, for 100 concurrent requests', async () => {
    const [key, email] = [aKey(), anEmail()];
    const replies = await Promise.all(Array.from({ length: 100 }, () => invite(key, email)));
    expect(replies.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect(new Set(replies.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect(replies.filter(isReplay)).toHaveLength(99);
    expect(await invitationsOf(email)).toHaveLength(1);
    expect(await savedResponses(key)).toHaveLength(1);
    const made = `select 1 from audit_entry where action = 'invitation.made' and details->>'email' = $1`;
    expect(await queryAsOwner(service, made, [email])).toHaveLength(1);
    expect((await invite(aKey(), email)).status).toBe(409);
  });

  it('get the first response, regardless of later changes, with their own request id', async () => {
    const key = aKey();
    const first = await requestConnector(key, { connectorName: 'Ox', notes: 'Soon.' });
    await decline(first.body.data.id);
    const again = await requestConnector(key, { connectorName: 'Ox', notes: 'Soon.' });
    expect([isReplay(first), isReplay(again)]).toEqual([false, true]);
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    expect(again.body.meta.requestId).not.toBe(first.body.meta.requestId);
    expect((await requestConnector(aKey(), { connectorName: 'Ox' })).body.data.id).not.toBe(first.body.data.id);
  });

  it('are recognized in any order and encoding of their fields', async () => {
    const key = aKey();
    const first = await requestConnector(key, { connectorName: 'Cow', notes: 'Moo.' });
    const again = await owner.request(REQUESTS, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'idempotency-key': key },
      body: ' { "notes":\n"\\u004doo.", "connectorName": "Cow" }',
    });
    expect([isReplay(again), again.body.data]).toEqual([true, first.body.data]);
  });
});

describe('another request', () => {
  it('with the same key is rejected if its body or URL differs', async () => {
    const [key, email] = [aKey(), anEmail()];
    await requestConnector(key, { connectorName: 'Hen' });
    for (const reply of [
      await requestConnector(key, { connectorName: 'hen' }),
      await requestConnector(key, { connectorName: 'Hen', notes: null }),
      await invite(key, email),
    ])
      expect([reply.status, errorCodeOf(reply)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await invitationsOf(email)).toEqual([]);
    expect(isReplay(await requestConnector(key, { connectorName: 'Hen' }))).toBe(true);
    expect((await invite(aKey(), email)).status).toBe(200);
  });

  it('of another user, API key or workspace has separate keys', async () => {
    await createTestWorkspace(service, 'others');
    await createTestWorkspace(service, 'third');
    const there = service.as('owner', { slug: 'others' });
    const program = await anApiKeyClient(service, ['*']);
    const clients = [owner, service.as('admin'), program, there, service.as('admin', { slug: 'others' })];
    const key = aKey();
    for (const [nth, client] of clients.entries()) {
      const reply = await requestConnector(key, { connectorName: `Goat ${nth}` }, client);
      expect([reply.status, isReplay(reply), reply.body.data.connectorName]).toEqual([200, false, `Goat ${nth}`]);
    }
    expect(await savedResponses(key)).toHaveLength(clients.length);
    for (const [nth, client] of clients.entries())
      expect(isReplay(await requestConnector(key, { connectorName: `Goat ${nth}` }, client))).toBe(true);
  });
});

describe('a request that fails', () => {
  it('saves nothing and may be retried with its key, even with a different body', async () => {
    const [key, email] = [aKey(), anEmail()];
    expect((await invite(key, 'nobody')).status).toBe(400);
    expect((await invite(key, email, owner, newId())).status).toBe(404);
    expect((await invite(key, 'owner@demo.test')).status).toBe(409);
    expect(await savedResponses(key)).toEqual([]);
    const reply = await invite(key, email);
    expect([reply.status, isReplay(reply)]).toEqual([200, false]);
    expect(isReplay(await invite(key, email))).toBe(true);
  });

  it('with a missing permission succeeds after the permission is granted', async () => {
    const [key, email] = [aKey(), anEmail()];
    const editor = service.as('editor');
    expect((await invite(key, email, editor)).status).toBe(403);
    expect(await savedResponses(key)).toEqual([]);
    await setUserRoles(owner, await userIdOf(owner, 'editor@demo.test'), [await roleIdOf(owner, 'admin')]);
    expect((await invite(key, email, editor)).status).toBe(200);
  });

  it('is not replayed to a caller who has lost access', async () => {
    const [key, email] = [aKey(), anEmail()];
    const operator = service.as('operator');
    const id = await userIdOf(owner, 'operator@demo.test');
    expect((await requestConnector(key, { connectorName: email }, operator)).status).toBe(200);
    await setUserRoles(owner, id, [viewerRole]);
    expect((await requestConnector(aKey(), { connectorName: email }, operator)).status).toBe(403);
    expect((await requestConnector(key, { connectorName: email }, clientFor(service, 'nobody@x.test'))).status).toBe(
      403,
    );
  });
});

describe('an Idempotency-Key', () => {
  it.each([
    ['1 character', '~'],
    ['255 characters', 'k'.repeat(255)],
    ['all of visible ASCII', String.fromCharCode(...Array.from({ length: 94 }, (_, nth) => 33 + nth))],
  ])('of %s is accepted', async (_, key) => {
    expect((await requestConnector(key, { connectorName: 'Key' })).status).toBe(200);
    expect(isReplay(await requestConnector(key, { connectorName: 'Key' }))).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['256 characters', 'k'.repeat(256)],
    ['a space', 'a b'],
    ['a tab', 'a\tb'],
    ['two keys', 'a, b'],
    ['characters beyond ASCII', 'ké'],
  ])('of %s is rejected', async (_, key) => {
    const { status, body } = await requestConnector(key, { connectorName: 'No key' });
    expect([status, body.error]).toEqual([
      ...[400, 'BAD_REQUEST: Idempotency-Key must be 1 to 255 visible ASCII characters.'],
    ]);
    expect(await queryAsOwner(service, `select 1 from connector_request where connector_name = 'No key'`)).toEqual([]);
  });

  it('is ignored for requests that change nothing', async () => {
    const key = aKey();
    const headers = { 'idempotency-key': key };
    const { id } = (await invite(aKey(), anEmail())).body.data;
    for (const path of ['/api/users/me', INVITATIONS, '/api/vendors/platform-vendors?limit=1']) {
      for (const given of [headers, headers, { 'idempotency-key': 'a b' }]) {
        const reply = await owner.request(path, { headers: given });
        expect([reply.status, isReplay(reply)]).toEqual([200, false]);
      }
    }
    for (let time = 0; time < 2; time++) {
      const reply = await owner.request(`${INVITATIONS}/${id}`, { method: 'DELETE', headers });
      expect([reply.status, isReplay(reply)]).toEqual([200, false]);
    }
    expect(await savedResponses(key)).toEqual([]);
  });
});

function age(key: string, hours: number): Promise<unknown> {
  const statement = 'update idempotent_request set created_at = now() - make_interval(hours => $2) where key = $1';
  return queryAsOwner(service, statement, [key, hours]);
}

/** Runs `work` while another transaction holds the locks and uncommitted rows of `statement`. */
async function during(statement: string, values: unknown[], work: () => Promise<void>): Promise<void> {
  const transaction = await anOpenTransaction(service);
  await transaction.query(statement, values);
  await work().finally(() => transaction.end('rollback'));
}

const LOCK = 'select 1 from idempotent_request where key = $1 for update';
const CLAIM = `insert into idempotent_request (id, tenant_id, caller_id, key, created_at, fingerprint, reply)
  values (gen_random_uuid(), $1, $2, $3, now(), '', '')`;

describe('a saved response', () => {
  it('expires after 24 hours; then the key can be reused', async () => {
    const key = aKey();
    const first = await requestConnector(key, { connectorName: 'Swan' });
    await decline(first.body.data.id);
    await age(key, 23);
    expect(isReplay(await requestConnector(key, { connectorName: 'Swan' }))).toBe(true);
    await age(key, 25);
    const next = await requestConnector(key, { connectorName: 'Swan' });
    expect([next.status, isReplay(next), next.body.data.id === first.body.data.id]).toEqual([200, false, false]);
    expect((await requestConnector(key, { connectorName: 'Swan' })).body.data.id).toBe(next.body.data.id);
    expect(await savedResponses(key)).toHaveLength(1);
  });

  it('is deleted by later requests, without waiting for concurrent deletions', async () => {
    const old = [aKey(), aKey(), aKey()];
    for (const key of old) await requestConnector(key, { connectorName: 'Duck' });
    for (const key of old) await age(key, 25);
    await during(LOCK, [old[0]], async () => {
      expect((await requestConnector(aKey(), { connectorName: 'Duck' })).status).toBe(200);
      expect((await Promise.all(old.map(savedResponses))).map(({ length }) => length)).toEqual([1, 0, 0]);
    });
    expect((await requestConnector(aKey(), { connectorName: 'Duck' })).status).toBe(200);
    expect(await savedResponses(old[0] as string)).toEqual([]);
  });
});

describe('a duplicate of a long-running request', () => {
  async function expectConflict(key: string): Promise<void> {
    const email = anEmail();
    const { status, body } = await invite(key, email);
    expect([status, body]).toEqual([
      ...[
        409,
        { error: 'CONFLICT: A request with this Idempotency-Key is still in progress. Repeat the request later.' },
      ],
    ]);
    expect(await invitationsOf(email)).toEqual([]);
  }

  it('returns a conflict, with a new or expired key, and does not block other requests', async () => {
    const [key, old] = [aKey(), aKey()];
    await requestConnector(old, { connectorName: 'Goose' });
    await age(old, 25);
    const { id, tenantId } = await queryField(owner, '{ me { id tenantId } }');
    await during(CLAIM, [decodeId(tenantId), decodeId(id), key], () =>
      during(LOCK, [old], async () => {
        const duplicates = Promise.all(Array.from({ length: 20 }, (_, nth) => expectConflict(nth % 2 ? key : old)));
        for (let other = 0; other < 20; other++) expect((await invite(aKey(), anEmail())).status).toBe(200);
        await duplicates;
      }),
    );
    expect((await invite(key, anEmail())).status).toBe(200);
    expect((await invite(old, anEmail())).status).toBe(200);
  });
});

describe('a service that is killed repeatedly', () => {
  const TIMES = atScale(1, 5);

  it('executes every request exactly once, with equal responses for each key', async () => {
    let roleId: string | undefined;
    const send = async (client: Client, key: string): Promise<Reply> => {
      roleId ??= await roleIdOf(client, 'viewer');
      return invite(key, `${key}@x.test`, client, roleId);
    };
    await runAcrossCrashes({ times: TIMES, random: seededRandom(seed), send }, async (crashed, { replies, lost }) => {
      expect(lost).toBeGreaterThanOrEqual(TIMES);
      expect(replies.size).toBeGreaterThan(TIMES);
      for (const [key, received] of replies) {
        const [first] = received as [Reply];
        const statuses = received.map(({ status }) => status);
        expect([seed, key, statuses, received.slice(1).every(isReplay)]).toEqual([seed, key, [200, 200], true]);
        for (const { body } of received) expect(body.data).toEqual(first.body.data);
      }
      const made = await queryAsOwner(crashed, 'select email from invitation order by email');
      const wanted = [...replies.keys()].map((key) => `${key}@x.test`);
      expect(made.map(({ email }) => email).sort()).toEqual(wanted.sort());
      expect(await queryAsOwner(crashed, 'select 1 from idempotent_request')).toHaveLength(replies.size);
    });
  });
});
