import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../../support/database/test-jobs.js';
import { TAPS } from '../../../support/operations/tap-calls.js';
import { aConnectedWorkspace, connect, offerOf } from '../../../support/sources/connected-workspace.js';
import { RECORDS } from '../../../support/vendors/fake-vendor-server.js';
import { replyWith } from '../../../support/vendors/vendor-responses.js';

const { service, vendor } = await aConnectedWorkspace({ JOBS: 'on' });
const editor = service.as('editor');

const aConnection = async (): Promise<string> =>
  (await connect(editor, 'bearer', vendor.credentials.bearer)).body.data.id;
const pathOf = (id: string, rest: string) => `/api/vendors/tenant-connector-instances/${id}/${rest}`;
const namesOf = async (id: string): Promise<string[]> =>
  (await editor.request(`${TAPS}?instanceId=${id}`)).body.data.items.map(({ name }: { name: string }) => name);

async function tapIdOf(name: string): Promise<string> {
  const { connectorId } = await offerOf(editor, 'bearer');
  const { body } = await editor.graphql(`{ connector(id: "${connectorId}") { taps { id name } } }`);
  return body.data.connector.taps.find((tap: { name: string }) => tap.name === name).id;
}

const add = async (instanceId: string, objectName?: string, tap = 'objects') =>
  editor.post(TAPS, { instanceId, tapId: await tapIdOf(tap), ...(objectName && { objectName }) });

describe('POST /api/vendors/tenant-connector-instances/{id}/try', () => {
  it('returns the first page with its requests, and stores nothing', async () => {
    const id = await aConnection();
    const { status, body } = await editor.post(pathOf(id, 'try'), { tap: 'records' });
    expect(status).toBe(200);
    expect(body.data.requests).toMatchObject([{ method: 'GET', status: 200, attempt: 1 }]);
    expect(body.data.records[0]).toEqual(RECORDS[0]);
    expect(body.data.columns).toContainEqual({ name: 'id', type: 'Integer' });
    expect((await editor.request(pathOf(id, 'syncs'))).body.data.items).toEqual([]);
    expect(JSON.stringify(body)).not.toContain(String(vendor.credentials.bearer.authenticationConfig.token));
  });

  it('returns 404 for an unknown tap', async () => {
    expect((await editor.post(pathOf(await aConnection(), 'try'), { tap: 'none' })).status).toBe(404);
  });

  it('reads one object of a tap that is read per object', async () => {
    const path = pathOf(await aConnection(), 'try');
    const { body } = await editor.post(path, { tap: 'objects', objectName: 'Visit__c' });
    expect(body.data.records[0]).toEqual({ id: 1, of: 'all of Visit__c' });
    expect((await editor.post(path, { tap: 'objects' })).body.data).toMatchObject({
      ...{
        errorClass: 'configuration',
        errorMessage: 'objectName is required, because the service reads the tap once per object.',
      },
    });
  });
});

describe('POST /api/vendors/tenant-connector-instances/{id}/objects', () => {
  it('lists the objects that can be part of a request, by name, with the taps that read them', async () => {
    const id = await aConnection();
    const { body: added } = await add(id, 'Visit__c');
    const { body } = await editor.post(pathOf(id, 'objects'), {});
    expect(body.data).toEqual({
      tapId: await tapIdOf('objects'),
      objects: [{ name: 'Invoice__c' }, { name: 'Visit__c', label: 'Visit', tenantConnectorTapId: added.data.id }],
      isTruncated: false,
    });
  });

  it('returns each of 5,000 objects once, and reports whether the source lists more', async () => {
    const id = await aConnection();
    const names = Array.from({ length: 5_001 }, (_, at) => ({ name: `N${10_000 + at}` }));
    const listOf = async (objects: object[]) => {
      vendor.behave('/bearer/objects', replyWith(200, { objects }), { times: 1 });
      const { objects: found, isTruncated } = (await editor.post(pathOf(id, 'objects'), {})).body.data;
      return [found.length, found.at(-1).name, isTruncated];
    };
    expect(await listOf(names)).toEqual([5_000, 'N14999', true]);
    expect(await listOf([...names.slice(1), ...names.slice(1)])).toEqual([5_000, 'N15000', false]);
  });

  it('returns a failure of the vendor', async () => {
    const id = await aConnection();
    vendor.behave('/bearer/objects', replyWith(403, {}), { times: 1 });
    const { body } = await editor.post(pathOf(id, 'objects'), {});
    expect(body.data).toMatchObject({ objects: [], errorClass: 'permission', responsible: 'customer' });
    vendor.behave('/bearer/objects', replyWith(200, { ok: true }), { times: 1 });
    expect((await editor.post(pathOf(id, 'objects'), {})).body.data).toMatchObject({ errorClass: 'contract' });
  });
});

describe('a tap that is read per object', () => {
  it('is added once per object, and each object has a separate table', async () => {
    const id = await aConnection();
    expect(await namesOf(id)).toEqual(['comments', 'records']);
    const added = await Promise.all(['Visit__c', 'Invoice__c'].map((name) => add(id, name)));
    expect(added.map(({ status, body: { data } }) => [status, data.objectName, data.tableName])).toEqual([
      [200, 'Visit__c', expect.stringMatching(/^objects_visit_c(_\d+)?$/)],
      [200, 'Invoice__c', expect.stringMatching(/^objects_invoice_c(_\d+)?$/)],
    ]);
    const tapIds = added.map(({ body }) => body.data.id);
    const { body } = await editor.post(pathOf(id, 'syncs'), { tapIds });
    const path = `/api/syncs/${body.data.id}`;
    await waitUntil(async () => (await editor.request(path)).body.data.status === 'succeeded');
    const { tapRuns } = (await editor.request(path)).body.data;
    expect(tapRuns.map(({ recordsWritten }: { recordsWritten: number }) => recordsWritten)).toEqual([2, 2]);
    for (const name of ['Visit__c', 'Invoice__c']) {
      const [call] = vendor.callsTo(`/bearer/objects/${name}`).slice(-1);
      expect(call?.query.get('select')).toBe(`all of ${name}`);
    }
  });

  it('requires the name of an object, which other taps reject', async () => {
    const id = await aConnection();
    const refused = [await add(id), await add(id, 'Visit__c', 'records'), await add(id, 'a/b'), await add(id, '../me')];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(refused[2]?.body.error).not.toContain('a/b');
    expect(await namesOf(id)).toEqual(['comments', 'records']);
  });

  it('is added only once for the same object, and is restored after it was deleted', async () => {
    const id = await aConnection();
    const { body: first } = await add(id, 'Visit__c');
    expect((await add(id, 'Visit__c')).status).toBe(409);
    await service.as('owner').delete(`${TAPS}/${first.data.id}`);
    expect((await add(id, 'Visit__c')).body.data.id).toBe(first.data.id);
  });
});
