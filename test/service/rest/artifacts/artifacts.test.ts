import { describe, expect, it } from 'vitest';
import { decodeId, newId } from '../../../../src/kernel/ids.js';
import {
  anArtifact,
  artifactRows,
  PEOPLE_CSV,
  publishedTap,
  UPLOAD_PATH,
  upload,
} from '../../../support/artifacts/artifact-requests.js';
import { anArchive } from '../../../support/artifacts/office-files.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { aService } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';

const service = aService();
const editor = service.as('editor');

const patch = (id: string, change: object) => editor.patch(`/api/artifacts/${id}`, change);
const remove = (id: string) => editor.delete(`/api/artifacts/${id}`);
const fetchOne = async (id: string) => (await editor.request(`/api/artifacts/${id}`)).body.data;

describe('POST /api/artifacts/upload-artifact', () => {
  it('requires authentication', async () => {
    expect((await upload(service)).status).toBe(401);
    expect((await upload(service.as('viewer'))).status).toBe(403);
  });

  it('stores a CSV file and returns its head', async () => {
    const { status, body } = await upload(editor, { data: { path: '/people' } });
    expect([status, body.data.sampleRows[0]]).toEqual([200, { id: '1', name: 'Ada', born: '1815-12-10' }]);
    expect(body.data).toMatchObject({ inference: null, inferenceError: null });
    expect(body.data.artifact).toMatchObject({
      ...{ fileName: 'people.csv', fileSize: Buffer.byteLength(PEOPLE_CSV), fileType: 'csv', path: '/people' },
      ...{ uploadStatus: 'ready', schemaInferenceStatus: 'not_requested' },
      uploadedBy: { name: expect.any(String), email: 'editor@demo.test' },
      dataSchema: {
        dialect: { encoding: 'utf-8', delimiter: ',', header: true },
        fields: ['id', 'name', 'born'].map((name) => ({ name, type: 'String', nullable: false })),
      },
    });
  });

  it('stores other files as they are', async () => {
    const { body } = await upload(editor, { name: 'all.zip', content: anArchive({ 'a.csv': 'a' }), data: {} });
    expect(body.data).toMatchObject({ sampleRows: [], artifact: { fileType: 'zip', dataSchema: null, path: null } });
  });

  it('prefers the file name in the data part', async () => {
    expect(await anArtifact(editor, { data: { fileName: 'other.csv' } })).toMatchObject({ fileName: 'other.csv' });
  });

  it('stores nothing of a rejected file', async () => {
    const before = await artifactRows(service);
    const { status, headers, body } = await upload(editor, { content: '' });
    expect([status, headers.get('x-error-code'), body]).toEqual([
      422,
      'WA-AF-001',
      { error: expect.stringMatching(/^WA-AF-001: /) },
    ]);
    expect(await artifactRows(service)).toEqual(before);
  });

  it('stores one file for repeated requests with an Idempotency-Key', async () => {
    const once = { 'idempotency-key': newId() };
    const replies = [await upload(editor, {}, once), await upload(editor, {}, once)];
    expect(replies.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(replies[1]?.body.data).toEqual(replies[0]?.body.data);
    expect((await upload(editor, { name: 'another.csv' }, once)).status).toBe(422);
  });

  it('rejects JSON', async () => {
    const { status } = await editor.post(UPLOAD_PATH, { data: '{}' });
    expect(status).toBe(415);
  });
});

describe('uploadArtifact over GraphQL', () => {
  const QUERY = `mutation ($file: Upload!, $path: String) {
    uploadArtifact(file: $file, path: $path) { artifact { id fileName path } sampleRows }
  }`;

  it('accepts a file by the multipart request specification', async () => {
    const form = new FormData();
    form.set('operations', JSON.stringify({ query: QUERY, variables: { file: null, path: '/a' } }));
    form.set('map', JSON.stringify({ 0: ['variables.file'] }));
    form.set('0', new Blob([PEOPLE_CSV]), 'people.csv');
    const { body } = await editor.request('/graphql', { method: 'POST', body: form });
    const [row] = body.data.uploadArtifact.sampleRows;
    expect([body.data.uploadArtifact.artifact, row.name]).toMatchObject([
      { fileName: 'people.csv', path: '/a' },
      'Ada',
    ]);
  });

  it('accepts no other value for a file', async () => {
    const { body } = await editor.graphql(QUERY, { file: 'people.csv' });
    expect(body.errors[0].extensions.code).toBe('BAD_REQUEST');
  });
});

describe('GET /api/artifacts/{artifactId}', () => {
  it('requires authentication', async () => {
    expect((await service.request(`/api/artifacts/${newId()}`)).status).toBe(401);
  });

  it('returns a file of the workspace', async () => {
    const artifact = await anArtifact(editor);
    expect(await fetchOne(artifact.id)).toEqual(artifact);
  });

  it('returns null for a file of another workspace and for a file that never existed', async () => {
    const there = await createTestWorkspace(service, 'elsewhere');
    const { id } = await anArtifact(service.as('editor', { slug: there }));
    const replies = await Promise.all([id, newId()].map((one) => editor.request(`/api/artifacts/${one}`)));
    expect(replies.map(({ status, body }) => [status, body.data])).toEqual([
      [200, null],
      [200, null],
    ]);
  });
});

describe('GET /api/artifacts', () => {
  it('lists the files of a folder, newest first', async () => {
    const first = await anArtifact(editor, { data: { path: '/listed' } });
    const second = await anArtifact(editor, { data: { path: '/listed' } });
    await anArtifact(editor, { data: { path: '/listed/below' } });
    const { body } = await editor.request('/api/artifacts?path=/listed&limit=10');
    const shown = [second, first].map(({ dataSchema, ...rest }) => rest);
    expect([body.data.items, body.meta.totalCount]).toEqual([shown, 2]);
  });

  it('lists the files of the root for a slash', async () => {
    const { id } = await anArtifact(editor, { data: { path: '/' } });
    const { items } = (await editor.request('/api/artifacts?path=/')).body.data;
    expect([items[0].id, items.every(({ path }: { path: unknown }) => path === null)]).toEqual([id, true]);
  });
});

describe('PATCH /api/artifacts/{artifactId}', () => {
  it('changes the name and keeps the folder', async () => {
    const { id } = await anArtifact(editor, { data: { path: '/kept' } });
    const { body } = await patch(id, { fileName: 'renamed.csv' });
    expect(body.data).toMatchObject({ fileName: 'renamed.csv', path: '/kept' });
  });

  it('moves a file to the root with null', async () => {
    const { id } = await anArtifact(editor, { data: { path: '/left' } });
    expect((await patch(id, { path: null })).body.data).toMatchObject({ fileName: 'people.csv', path: null });
    expect((await patch(id, { path: '/back' })).body.data).toMatchObject({ path: '/back' });
  });

  it('changes nothing for an empty object: no updatedAt, no audit entry', async () => {
    const artifact = await anArtifact(editor, { data: { path: '/same' } });
    const entries = () =>
      queryAsOwner(service, 'select action from audit_entry where object_id = $1', [decodeId(artifact.id)]);
    const before = await entries();
    const { status, body } = await patch(artifact.id, {});
    expect([status, body.data]).toEqual([200, artifact]);
    expect([await fetchOne(artifact.id), await entries()]).toEqual([artifact, before]);
    expect((await patch(newId(), {})).status).toBe(404);
  });

  it.each([
    [{ fileName: null }, 400],
    [{ fileName: '../people.csv' }, 400],
    [{ path: '/a/../b' }, 400],
    [{ fileName: 'malformed Unicode \ud800.csv' }, 400],
    [{ fileSize: 1 }, 400],
    [{ fileName: 'people.xlsx' }, 415],
  ])('rejects %j', async (change, status) => {
    const artifact = await anArtifact(editor);
    expect((await patch(artifact.id, change)).status).toBe(status);
    expect(await fetchOne(artifact.id)).toEqual(artifact);
  });

  it('hides other workspaces', async () => {
    expect((await patch(newId(), { path: '/a' })).status).toBe(404);
  });
});

describe('DELETE /api/artifacts/{artifactId}', () => {
  it('removes a file from all lists', async () => {
    const { id } = await anArtifact(editor, { data: { path: '/gone' } });
    expect((await remove(id)).body.data).toBe(true);
    expect(await fetchOne(id)).toBeNull();
    expect((await editor.request('/api/artifacts?path=/gone')).body.data.items).toEqual([]);
    expect((await remove(id)).status).toBe(404);
  });

  it('rejects a file with a published tap', async () => {
    const artifact = await anArtifact(editor);
    await publishedTap(service, artifact);
    const { status, headers } = await remove(artifact.id);
    expect([status, headers.get('x-error-code')]).toEqual([409, 'ARTIFACT_HAS_TAP']);
    expect(await fetchOne(artifact.id)).toEqual(artifact);
  });
});
