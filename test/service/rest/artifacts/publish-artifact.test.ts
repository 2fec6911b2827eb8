import { beforeAll, describe, expect, it } from 'vitest';
import { decodeId, newId } from '../../../../src/kernel/ids.js';
import { anArtifact } from '../../../support/artifacts/artifact-requests.js';
import { anArchive } from '../../../support/artifacts/office-files.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { anInferredArtifact } from '../../../support/operations/tap-calls.js';
import { anApiKeyClient } from '../../../support/service/callers.js';
import { errorCodeOf, expectSameNotFound } from '../../../support/service/replies.js';
import { aService, type Client, type Reply } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';

const service = aService();
const editor = service.as('editor');
let stranger: Client;
beforeAll(async () => {
  stranger = service.as('editor', { slug: await createTestWorkspace(service, 'elsewhere') });
});

const publish = (artifactId: string, name = 'People', client: Client = editor): Promise<Reply> =>
  client.post(`/api/artifacts/${artifactId}/publish`, { name });
const fetchOne = async (id: string) => (await editor.request(`/api/artifacts/${id}`)).body.data;
const remove = (path: string): Promise<Reply> => editor.delete(path);

async function tapsOf(artifactId: string): Promise<object[]> {
  const text = 'select id from tenant_connector_tap where attributed_artifact_id = $1 and deleted_at is null';
  return queryAsOwner(service, text, [decodeId(artifactId)]);
}

describe('POST /api/artifacts/{artifactId}/publish', () => {
  it('requires authentication', async () => {
    expect((await publish(newId(), 'a', service)).status).toBe(401);
    expect((await publish(newId(), 'a', service.as('operator'))).status).toBe(403);
  });

  it("creates a tap and a table from the file's columns, and enqueues the job that loads the rows", async () => {
    const artifactId = await anInferredArtifact(editor, 'id,price\n1,1.50\n2,2.25\n');
    const { data: tap } = (await publish(artifactId, '  Prices of 2026 ')).body;
    expect(tap).toMatchObject({
      ...{ name: 'Prices of 2026', tableName: 'prices_of_2026', attributedArtifactId: artifactId, enabled: true },
      publication: { status: 'queued', bytesRead: 0, bytesTotal: 23, rows: 0, rejectedRows: 0 },
    });
    expect(Object.keys(tap)).not.toContain('promotedAt');
    expect((await fetchOne(artifactId)).attributedTapId).toBe(tap.id);
    const tables = await queryAsOwner(service, 'select schema from catalog_table where tap_id = $1', [
      decodeId(tap.id),
    ]);
    const fields = [
      { name: 'id', type: 'Integer' },
      { name: 'price', type: 'Decimal', scale: 2 },
    ];
    expect(tables).toEqual([{ schema: { fields } }]);
    const jobs = await queryAsOwner(service, "select data from taproot_jobs.job where name = 'publish-artifact'");
    expect(jobs.map(({ data }) => data.publicationId)).toContain(tap.publication.id);
  });

  it('names the table after the tap, with a name different from all current and former taps', async () => {
    const named = async (name: string): Promise<string> =>
      (await publish(await anInferredArtifact(editor), name)).body.data.tableName;
    const first = (await publish(await anInferredArtifact(editor), 'Été!')).body.data;
    expect(first.tableName).toBe('ete');
    await remove(`/api/tenant-connector-taps/${first.id}`);
    expect([await named('ete'), await named('ÉTÉ')]).toEqual(['ete_2', 'ete_3']);
    const long = 'x'.repeat(200);
    expect([await named(long), await named(long)]).toEqual(['x'.repeat(63), `${'x'.repeat(61)}_2`]);
  });

  it('gives concurrent requests for one name different table names', async () => {
    const files = await Promise.all(Array.from({ length: 8 }, () => anInferredArtifact(editor)));
    const names = (await Promise.all(files.map((id) => publish(id, 'Twins')))).map(({ body }) => body.data.tableName);
    expect(names.sort()).toEqual(['twins', ...Array.from({ length: 7 }, (_, nth) => `twins_${nth + 2}`)]);
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    [
      'is not a CSV file',
      async () => (await anArtifact(editor, { name: 'a.zip', content: anArchive({ a: 'b' }) })).id,
      /CSV/,
    ],
    ['has no inferred schema', async () => (await anArtifact(editor)).id, /Run the schema inference first/],
    [
      'is not uploaded completely',
      () => changedTo("upload_status = 'pending'"),
      /Publish the file after the upload has succeeded/,
    ],
    ['has a failed upload', () => changedTo("upload_status = 'failed'"), /Upload the file again/],
    ['has a running inference', () => changedTo("schema_inference_status = 'running'"), /is running/],
    ['has a failed inference', () => changedTo("schema_inference_status = 'failed'"), /run the inference again/],
  ])('rejects a file that %s, with the remedy', async (_, make, message) => {
    const id = await make();
    const reply = await publish(id);
    expect([reply.status, errorCodeOf(reply)]).toEqual([409, 'CONFLICT']);
    expect(reply.body.error).toMatch(message);
    expect(await tapsOf(id)).toEqual([]);
  });

  async function changedTo(assignment: string): Promise<string> {
    const id = await anInferredArtifact(editor);
    await queryAsOwner(service, `update artifact set ${assignment} where id = $1`, [decodeId(id)]);
    return id;
  }

  it('publishes a file once; the file cannot be deleted before its tap', async () => {
    const id = await anInferredArtifact(editor);
    const tapId = (await publish(id)).body.data.id;
    expect(errorCodeOf(await publish(id))).toBe('CONFLICT');
    expect(errorCodeOf(await remove(`/api/artifacts/${id}`))).toBe('ARTIFACT_HAS_TAP');

    await remove(`/api/tenant-connector-taps/${tapId}`);
    const { attributedTapId, updatedBy, ...rest } = await fetchOne(id);
    expect([attributedTapId, rest.id]).toEqual([undefined, id]);
    const again = (await publish(id)).body.data;
    expect((await fetchOne(id)).attributedTapId).toBe(again.id);
    await remove(`/api/tenant-connector-taps/${again.id}`);
    expect((await remove(`/api/artifacts/${id}`)).status).toBe(200);
    expect((await publish(id)).status).toBe(404);
  });

  it('publishes once for repeated requests with an Idempotency-Key', async () => {
    const id = await anInferredArtifact(editor);
    const once = { 'idempotency-key': newId() };
    const publishOnce = () => editor.post(`/api/artifacts/${id}/publish`, { name: 'Once' }, once);
    expect((await publishOnce()).body.data).toEqual((await publishOnce()).body.data);
    expect(await tapsOf(id)).toHaveLength(1);
  });

  it.each([
    ['that is empty', ''],
    ['of blanks', ' \t'],
    ['of 201 characters', 'x'.repeat(201)],
    ['with a NUL', 'a\u0000'],
    ['that is a number', 5],
  ])('rejects a name %s', async (_, name) => {
    expect((await publish(newId(), name as string)).status).toBe(400);
  });

  it('replies to a caller who may publish but read nothing else', async () => {
    const program = await anApiKeyClient(service, ['artifacts:publish']);
    expect((await publish(await anInferredArtifact(editor), 'Alone', program)).status).toBe(200);
  });

  it('hides other workspaces', async () => {
    const theirs = await anInferredArtifact(stranger);
    const replies = await Promise.all([theirs, newId()].map((id) => publish(id)));
    expectSameNotFound(replies);
    expect(await tapsOf(theirs)).toEqual([]);
  });

  it('is audited', async () => {
    const id = await anInferredArtifact(editor);
    const { data } = (await publish(id, 'Trail')).body;
    const text = "select details from audit_entry where action = 'artifact.published' and object_id = $1";
    const [entry] = await queryAsOwner(service, text, [decodeId(id)]);
    expect(entry?.details).toEqual({ name: 'Trail', tableName: 'trail', tapId: data.id });
  });
});
