import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/kernel/ids.js';
import { aPushedOffer } from '../support/connection-calls.js';
import { answerOf, aProgram } from '../support/people.js';
import { aService, type Client, type Reply } from '../support/service.js';
import { aPublishedTap, aPushedTap } from '../support/tap-calls.js';
import { aWorkspace } from '../support/workspace.js';

const service = aService();
const editor = service.as('editor');
let stranger: Client;
beforeAll(async () => {
  stranger = service.as('editor', { slug: await aWorkspace(service, 'elsewhere') });
});

const TAPS = '/api/tenant-connector-taps';
const fetchOne = (id: string, client: Client = editor): Promise<Reply> => client.request(`${TAPS}/${id}`);
const remove = (id: string, client: Client = editor): Promise<Reply> =>
  client.request(`${TAPS}/${id}`, { method: 'DELETE' });
const patch = (id: string, change: object, client: Client = editor): Promise<Reply> =>
  client.request(`${TAPS}/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
  });

async function aConnection(): Promise<{ id: string; name: string }> {
  return (await editor.post('/api/connectors', { ...(await aPushedOffer(editor)), name: 'Hooks' })).body.data;
}

async function tapIds(query: string): Promise<string[]> {
  const { body } = await editor.request(`${TAPS}?limit=250${query}`);
  return body.data.items.map(({ id }: { id: string }) => id);
}

/** What the audit trail says of one object, the latest first. */
async function trailOf(id: string): Promise<object[]> {
  const { items } = await answerOf(
    service.as('owner'),
    '{ auditEntries(limit: 250) { items { action objectId details } } }',
  );
  return items.filter(({ objectId }: { objectId: string }) => objectId === id);
}

describe('GET /api/tenant-connector-taps', () => {
  it('requires authentication', async () => {
    expect((await service.request(TAPS)).status).toBe(401);
  });

  it('lists taps of connections and of files by name, and those of one connection', async () => {
    const { id: instanceId } = await aConnection();
    const ofInstance = await tapIds(`&instanceId=${instanceId}`);
    const published = await aPublishedTap(editor, 'zz last');
    const all = await tapIds('');
    expect(ofInstance.length).toBeGreaterThan(0);
    expect(all).toEqual(expect.arrayContaining([...ofInstance, published]));
    expect(all.at(-1)).toBe(published);
    expect(await tapIds(`&instanceId=${newId()}`)).toEqual([]);
  });

  it('hides other workspaces', async () => {
    const theirs = await aPushedTap(stranger);
    const { instance } = (await fetchOne(theirs, stranger)).body.data;
    expect(await tapIds('')).not.toContain(theirs);
    expect(await tapIds(`&instanceId=${instance.id}`)).toEqual([]);
  });
});

describe('GET /api/tenant-connector-taps/{id}', () => {
  it('requires authentication', async () => {
    expect((await fetchOne(newId(), service)).status).toBe(401);
  });

  it('shows a tap with its connection and its definition', async () => {
    const { id: instanceId, name } = await aConnection();
    const [id] = await tapIds(`&instanceId=${instanceId}`);
    const { data } = (await fetchOne(id as string)).body;
    expect(data).toMatchObject({ id, instance: { id: instanceId, name }, tap: { name: data.name }, enabled: true });
    expect(Object.keys(data)).not.toContain('publication');
  });

  it('hides other workspaces', async () => {
    const theirs = await aPushedTap(stranger);
    const replies = await Promise.all([theirs, newId()].map((id) => fetchOne(id)));
    expect(replies.map(({ status, text }) => [status, text])).toEqual([
      [404, replies[1]?.text],
      [404, replies[0]?.text],
    ]);
  });
});

describe('PATCH /api/tenant-connector-taps/{id}', () => {
  it('requires authentication', async () => {
    expect((await patch(newId(), { enabled: true }, service)).status).toBe(401);
    expect((await patch(newId(), { enabled: true }, service.as('viewer'))).status).toBe(403);
  });

  it('disables and enables a tap, and says so in the audit trail where that changes anything', async () => {
    const id = await aPushedTap(editor);
    for (const enabled of [false, false, true])
      expect((await patch(id, { enabled })).body.data).toMatchObject({ id, enabled });
    expect((await fetchOne(id)).body.data.enabled).toBe(true);
    expect(await trailOf(id)).toMatchObject(
      [true, false].map((enabled) => ({ action: 'connector_tap.updated', details: { enabled } })),
    );
  });

  it.each([{}, { enabled: null }, { enabled: 'yes' }, { enabled: true, name: 'b' }])('refuses %j', async (change) => {
    expect((await patch(await aPushedTap(editor), change)).status).toBe(400);
  });

  it('is answered to who may do that and see nothing else', async () => {
    const id = await aPushedTap(editor);
    const program = await aProgram(service, ['taps:write']);
    expect((await patch(id, { enabled: false }, program)).status).toBe(200);
  });

  it('hides other workspaces', async () => {
    const theirs = await aPushedTap(stranger);
    expect((await patch(theirs, { enabled: false })).status).toBe(404);
    expect((await fetchOne(theirs, stranger)).body.data.enabled).toBe(true);
  });
});

describe('DELETE /api/tenant-connector-taps/{id}', () => {
  it('requires authentication', async () => {
    expect((await remove(newId(), service)).status).toBe(401);
    expect((await remove(newId(), service.as('operator'))).status).toBe(403);
  });

  it('takes a tap out of every list, for good', async () => {
    const { id: instanceId } = await aConnection();
    const [id] = (await tapIds(`&instanceId=${instanceId}`)) as [string];
    expect((await remove(id)).body.data).toBe(true);
    expect(await tapIds(`&instanceId=${instanceId}`)).not.toContain(id);
    const question = 'query ($id: Base62Id!) { tenantConnectorInstance(id: $id) { taps { id } } }';
    expect((await answerOf(editor, question, { id: instanceId })).taps).not.toContainEqual({ id });
    const after = [await fetchOne(id), await remove(id), await patch(id, { enabled: true })];
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await trailOf(id)).toMatchObject([{ action: 'connector_tap.deleted' }]);
  });

  it('hides other workspaces', async () => {
    const theirs = await aPushedTap(stranger);
    expect((await remove(theirs)).text).toBe((await remove(newId())).text);
    expect((await fetchOne(theirs, stranger)).status).toBe(200);
  });
});
