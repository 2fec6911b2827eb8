import { beforeAll, describe, expect, it } from 'vitest';
import { decodeId, newId } from '../../../../src/kernel/ids.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { anIngestService } from '../../../support/ingest/pushed-taps.js';
import {
  aDeletedInboundTap,
  anInboundConnection,
  anInboundTapId,
  aPublishedTap,
  enabledTapsOf,
  TAPS,
  type Tap,
  tapsOf,
} from '../../../support/operations/tap-calls.js';
import { anApiKeyClient, auditEntriesOf, queryField } from '../../../support/service/callers.js';
import { expectSameNotFound } from '../../../support/service/replies.js';
import type { Client, Reply } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';

const service = await anIngestService();
const editor = service.as('editor');
let stranger: Client;
beforeAll(async () => {
  stranger = service.as('editor', { slug: await createTestWorkspace(service, 'elsewhere') });
});

const add = (body: object, client: Client = editor): Promise<Reply> => client.post(TAPS, body);
const fetchOne = (id: string, client: Client = editor): Promise<Reply> => client.request(`${TAPS}/${id}`);
const remove = (id: string, client: Client = editor): Promise<Reply> => client.delete(`${TAPS}/${id}`);
const patch = (id: string, change: object, client: Client = editor): Promise<Reply> =>
  client.patch(`${TAPS}/${id}`, change);
const trailOf = (id: string) => auditEntriesOf(service.as('owner'), id);

async function tapIds(query: string): Promise<string[]> {
  const { body } = await editor.request(`${TAPS}?limit=250${query}`);
  return body.data.items.map(({ id }: { id: string }) => id);
}

const statusOf = async (instanceId: string): Promise<string> =>
  (await editor.request(`/api/vendors/tenant-connector-instances/${instanceId}`)).body.data.connectionStatus;

describe('GET /api/tenant-connector-taps', () => {
  it('requires authentication', async () => {
    expect((await service.request(TAPS)).status).toBe(401);
  });

  it('lists taps of connections and files by name, or the taps of one connection', async () => {
    const { id: instanceId } = await anInboundConnection(editor);
    const ofInstance = await tapIds(`&instanceId=${instanceId}`);
    const published = await aPublishedTap(editor, 'zz last');
    const all = await tapIds('');
    expect(ofInstance.length).toBeGreaterThan(0);
    expect(all).toEqual(expect.arrayContaining([...ofInstance, published]));
    expect(all.at(-1)).toBe(published);
    expect(await tapIds(`&instanceId=${newId()}`)).toEqual([]);
  });

  it('lists all taps of the definition, enabled as it says, and enables a tap that is disabled by default', async () => {
    const { id: instanceId } = await anInboundConnection(editor);
    const query = `query ($id: Base62Id!) { tenantConnectorInstance(id: $id) { connector { taps { id name enabledByDefault } } } }`;
    const { taps } = (await queryField(editor, query, { id: instanceId })).connector;
    const made = await tapsOf(editor, instanceId);
    const shownAs = ({ name, enabled, tap }: Tap) => ({ id: tap.id, name, enabledByDefault: enabled });
    expect(made.map(shownAs)).toEqual(taps.toSorted((a: Tap, b: Tap) => a.name.localeCompare(b.name)));
    const off = made.find(({ enabled }) => !enabled) as Tap;
    expect((await patch(off.id, { enabled: true })).body.data).toMatchObject({ name: off.name, enabled: true });
  });

  it('lists deleted taps with `includeDeleted`, but no taps of a deleted connection', async () => {
    const { id: instanceId } = await anInboundConnection(editor);
    const [first, second] = (await tapsOf(editor, instanceId)) as [Tap, Tap];
    await remove(first.id);
    const all = await tapsOf(editor, instanceId, '&includeDeleted=true');
    expect(all.find(({ id }) => id === first.id)).toMatchObject({ deletedAt: expect.any(String), tap: first.tap });
    expect(all.find(({ id }) => id === second.id)).not.toHaveProperty('deletedAt');
    expect(await tapIds('&includeDeleted=true')).toContain(first.id);
    const over = `query ($id: Base62Id!) { tenantConnectorTaps(instanceId: $id, includeDeleted: true, limit: 250) { total items { id deletedAt } } }`;
    expect((await queryField(editor, over, { id: instanceId })).total).toBe(all.length);
    await editor.delete(`/api/vendors/tenant-connector-instances/${instanceId}`);
    expect(await tapsOf(editor, instanceId, '&includeDeleted=true')).toEqual([]);
  });

  it('hides other workspaces', async () => {
    const theirs = await anInboundTapId(stranger);
    const { instance } = (await fetchOne(theirs, stranger)).body.data;
    expect(await tapIds('')).not.toContain(theirs);
    expect(await tapIds(`&instanceId=${instance.id}`)).toEqual([]);
  });
});

describe('GET /api/tenant-connector-taps/{id}', () => {
  it('requires authentication', async () => {
    expect((await fetchOne(newId(), service)).status).toBe(401);
  });

  it('returns a tap with its connection and its definition', async () => {
    const { id: instanceId, name } = await anInboundConnection(editor);
    const [{ id }] = (await enabledTapsOf(editor, instanceId)) as [Tap];
    const { data } = (await fetchOne(id)).body;
    expect(data).toMatchObject({ id, instance: { id: instanceId, name }, tap: { name: data.name }, enabled: true });
    expect(Object.keys(data)).not.toContain('publication');
  });

  it('hides other workspaces', async () => {
    const theirs = await anInboundTapId(stranger);
    const replies = await Promise.all([theirs, newId()].map((id) => fetchOne(id)));
    expectSameNotFound(replies);
  });
});

describe('POST /api/tenant-connector-taps', () => {
  it('requires authentication', async () => {
    const body = await aDeletedInboundTap(editor);
    expect((await add(body, service)).status).toBe(401);
    expect((await add(body, service.as('viewer'))).status).toBe(403);
    expect((await add(body, service.as('operator'))).status).toBe(200);
  });

  it('restores a deleted tap with its id, name and table, and audits it', async () => {
    const { id: instanceId } = await anInboundConnection(editor);
    const [before] = (await enabledTapsOf(editor, instanceId)) as [Tap];
    await remove(before.id);
    const { status, body } = await add({ instanceId, tapId: before.tap.id });
    expect([status, body.data.deletedAt]).toEqual([200, undefined]);
    const { updatedAt, ...same } = before as Tap & { updatedAt: string };
    expect(await tapsOf(editor, instanceId)).toContainEqual(expect.objectContaining(same));
    expect(await trailOf(before.id)).toMatchObject([
      { action: 'connector_tap.added', details: { enabled: true } },
      { action: 'connector_tap.deleted' },
    ]);
  });

  it('can add a tap disabled', async () => {
    const body = await aDeletedInboundTap(editor);
    expect((await add({ ...body, enabled: false })).body.data.enabled).toBe(false);
  });

  it('creates a tap that the connection lacks, under another table name if its own name is taken', async () => {
    const { id: instanceId } = await anInboundConnection(editor);
    const [lost, other] = (await enabledTapsOf(editor, instanceId)) as [Tap, Tap];
    await queryAsOwner(service, 'delete from tenant_connector_tap where id = $1', [decodeId(lost.id)]);
    const rename = 'update tenant_connector_tap set table_name = $1 where id = $2';
    await queryAsOwner(service, rename, [lost.tableName, decodeId(other.id)]);
    const { data } = (await add({ instanceId, tapId: lost.tap.id })).body;
    const tableName = expect.stringMatching(new RegExp(`^${lost.tableName}_[0-9a-f]{8}$`));
    expect(data).toMatchObject({ name: lost.name, tap: lost.tap, enabled: true, tableName });
    expect(data.id).not.toBe(lost.id);
  });

  it('rejects a tap that the connection has, and all but the first of concurrent requests', async () => {
    const body = await aDeletedInboundTap(editor);
    const replies = await Promise.all([1, 2, 3, 4].map(() => add(body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const { error } = (await add(body)).body;
    expect(error).toBe('CONFLICT: The connection already has this tap. If the tap is disabled, enable it.');
  });

  it('rejects a tap of another connector like a tap that does not exist', async () => {
    const { instanceId } = await aDeletedInboundTap(editor);
    const { body } = await editor.request('/api/connectors?limit=1');
    const [{ taps }] = body.data.items;
    for (const tapId of [taps[0].id, newId()]) {
      const reply = await add({ instanceId, tapId });
      expect([reply.status, reply.body.error]).toEqual([
        ...[404, "NOT_FOUND: tapId is not a tap of the connection's connector."],
      ]);
    }
  });

  it('changes nothing on a repetition with the same Idempotency-Key', async () => {
    const body = await aDeletedInboundTap(editor);
    const key = { 'idempotency-key': newId() };
    const [first, again] = [await editor.post(TAPS, body, key), await editor.post(TAPS, body, key)];
    expect([first.status, again.body.data, again.headers.get('idempotency-replayed')]).toEqual([
      ...[200, first.body.data, 'true'],
    ]);
  });

  it('hides other workspaces', async () => {
    const theirs = await aDeletedInboundTap(stranger);
    const replies = [await add(theirs), await add({ ...theirs, instanceId: newId() })];
    expectSameNotFound(replies);
    expect(await add(theirs, stranger)).toMatchObject({ status: 200 });
  });

  it.each([{ tapId: null }, { tapId: 'x' }, { instanceId: null }, { enabled: null }, { name: 'b' }])(
    'rejects %j',
    async (change) => {
      expect((await add({ ...(await aDeletedInboundTap(editor)), ...change })).status).toBe(400);
    },
  );
});

describe('PATCH /api/tenant-connector-taps/{id}', () => {
  it('requires authentication', async () => {
    expect((await patch(newId(), { enabled: true }, service)).status).toBe(401);
    expect((await patch(newId(), { enabled: true }, service.as('viewer'))).status).toBe(403);
  });

  it('disables and enables a tap, and audits each change', async () => {
    const id = await anInboundTapId(editor);
    for (const enabled of [false, false, true])
      expect((await patch(id, { enabled })).body.data).toMatchObject({ id, enabled });
    expect((await fetchOne(id)).body.data.enabled).toBe(true);
    expect(await trailOf(id)).toMatchObject(
      [true, false].map((enabled) => ({ action: 'connector_tap.updated', details: { enabled } })),
    );
  });

  it('changes how records change the table, and audits it', async () => {
    const id = await anInboundTapId(editor);
    const chosen = { mode: 'append', deletedRows: 'mark' };
    expect((await patch(id, chosen)).body.data).toMatchObject(chosen);
    expect((await patch(id, { mode: null })).body.data).not.toHaveProperty('mode');
    expect(await trailOf(id)).toMatchObject([{ details: { mode: null } }, { details: chosen }]);
  });

  it('returns 409 for a mode that the tap cannot have', async () => {
    for (const id of [await anInboundTapId(editor), await aPublishedTap(editor)]) {
      expect(await patch(id, { mode: 'replace' })).toMatchObject({ status: 409 });
      expect((await fetchOne(id)).body.data).not.toHaveProperty('mode');
    }
  });

  it('returns the tap unchanged for a body without fields', async () => {
    const id = await anInboundTapId(editor);
    const before = (await fetchOne(id)).body.data;
    expect((await patch(id, {})).status).toBe(200);
    expect((await fetchOne(id)).body.data).toEqual(before);
    expect(await trailOf(id)).toEqual([]);
  });

  it.each([
    { enabled: null },
    { enabled: 'yes' },
    { enabled: true, name: 'b' },
    { mode: 'merge' },
    { deletedRows: null },
  ])('rejects %j', async (change) => {
    expect((await patch(await anInboundTapId(editor), change)).status).toBe(400);
  });

  it('replies to a caller who may change but not read taps', async () => {
    const id = await anInboundTapId(editor);
    const program = await anApiKeyClient(service, ['taps:write']);
    expect((await patch(id, { enabled: false }, program)).status).toBe(200);
  });

  it('hides other workspaces', async () => {
    const theirs = await anInboundTapId(stranger);
    expect((await patch(theirs, { enabled: false })).status).toBe(404);
    expect((await fetchOne(theirs, stranger)).body.data.enabled).toBe(true);
  });
});

describe('DELETE /api/tenant-connector-taps/{id}', () => {
  it('requires authentication', async () => {
    expect((await remove(newId(), service)).status).toBe(401);
    expect((await remove(newId(), service.as('operator'))).status).toBe(403);
  });

  it('removes a tap from all lists', async () => {
    const { id: instanceId } = await anInboundConnection(editor);
    const [id] = (await tapIds(`&instanceId=${instanceId}`)) as [string];
    expect((await remove(id)).body.data).toBe(true);
    expect(await tapIds(`&instanceId=${instanceId}`)).not.toContain(id);
    const query = 'query ($id: Base62Id!) { tenantConnectorInstance(id: $id) { taps { id } } }';
    expect((await queryField(editor, query, { id: instanceId })).taps).not.toContainEqual({ id });
    const after = [await fetchOne(id), await remove(id), await patch(id, { enabled: true })];
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await trailOf(id)).toMatchObject([{ action: 'connector_tap.deleted' }]);
  });

  it('disables the connection with its last tap, until a tap is added', async () => {
    const { id: instanceId } = await anInboundConnection(editor);
    const taps = await tapsOf(editor, instanceId);
    for (const { id } of taps) await remove(id);
    expect(await statusOf(instanceId)).toBe('disabled');
    await add({ instanceId, tapId: taps[0]?.tap.id });
    expect(await statusOf(instanceId)).not.toBe('disabled');
  });

  it('hides other workspaces', async () => {
    const theirs = await anInboundTapId(stranger);
    expect((await remove(theirs)).text).toBe((await remove(newId())).text);
    expect((await fetchOne(theirs, stranger)).status).toBe(200);
  });
});
