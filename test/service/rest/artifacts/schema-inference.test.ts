import { rm, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { INFERENCE_SAMPLE_BYTES } from '../../../../src/artifacts/measured-bytes.js';
import { decodeId, encodeId, newId } from '../../../../src/kernel/ids.js';
import {
  anArtifact,
  columnTypesOf,
  inferenceOf,
  PEOPLE_CSV,
  runInference,
} from '../../../support/artifacts/artifact-requests.js';
import { rowsFor } from '../../../support/artifacts/hostile-files.js';
import { anArchive } from '../../../support/artifacts/office-files.js';
import { artifactPath, filesFolderOf } from '../../../support/artifacts/stored-files.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { aService } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';

const service = aService();
const editor = service.as('editor');

const TYPES = { id: 'Integer', name: 'String', born: 'Date' };

const fetchOne = async (id: string) => (await editor.request(`/api/artifacts/${id}`)).body.data;

/** `columns` are SQL assignments. */
const change = (id: string, columns: string) =>
  queryAsOwner(service, `update artifact set ${columns} where id = $1 returning tenant_id`, [decodeId(id)]);

const bytesOf = async (id: string): Promise<string> => {
  const [row] = await change(id, 'id = id');
  return artifactPath(filesFolderOf(service), { id, tenantId: encodeId(row?.tenant_id) });
};

async function failureOf(id: string) {
  const { status, body } = await runInference(editor, id);
  const { artifact, inference, inferenceError, sampleRows } = body.data;
  expect([status, inference, sampleRows, await fetchOne(id)]).toEqual([200, null, [], artifact]);
  return { artifact, code: inferenceError.code };
}

describe('POST /api/artifacts/run-artifact-schema-inference', () => {
  it('requires authentication', async () => {
    const { id } = await anArtifact(editor);
    const clients = [service, service.as('viewer'), editor];
    const statuses = clients.map(async (client) => (await runInference(client, id)).status);
    expect(await Promise.all(statuses)).toEqual([401, 403, 200]);
  });

  it('hides other workspaces', async () => {
    const there = service.as('editor', { slug: await createTestWorkspace(service, 'elsewhere') });
    const { id } = await anArtifact(there);
    const replies = await Promise.all([id, newId()].map((one) => runInference(editor, one)));
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });

  it('infers the types of the columns, with evidence', async () => {
    const { id } = await anArtifact(editor);
    const { status, body } = await runInference(editor, id);
    const { artifact, inference, inferenceError, sampleRows } = body.data;
    expect([status, inferenceError, sampleRows[0].name]).toEqual([200, null, 'Ada']);
    expect([artifact.schemaInferenceStatus, columnTypesOf(artifact)]).toEqual(['succeeded', TYPES]);
    expect(inference).toMatchObject({ model: 'rules/3', tokenInputCount: 0, schema: artifact.dataSchema });
    expect(inference.columnMetadata).toContainEqual({
      ...{ fieldPath: 'born', confidence: 'low', demoted: false, sampleSeen: 3, sampleFailures: 0 },
    });
    expect(await fetchOne(id)).toEqual(artifact);
  });

  it('gives the doubts about each column over GraphQL', async () => {
    const { id } = await anArtifact(editor);
    await runInference(editor, id);
    const { columnMetadata } = (await inferenceOf(editor, id)).inference;
    expect(columnMetadata[0].doubts).toEqual([expect.stringMatching(/^The sample has 3 values\. /)]);
  });

  it('describes uneven rows, and lists the values of sample rows in column order', async () => {
    const { id } = await anArtifact(editor, { content: 'region,2020,2019\nNorth,1,2\nSouth,3\nEast,5,6\n' });
    const { body, text } = await runInference(editor, id);
    expect(body.data.inference.structure).toMatchObject({
      ...{ rows: 3, paddedRows: 1 },
      evidence: ['The service padded 1 row to 3 values: line 3.'],
    });
    const first = '{"region":"North","2020":"1","2019":"2"}';
    expect(text).toContain(first);
    const query = 'mutation ($id: Base62Id!) { runArtifactSchemaInference(artifactId: $id) { sampleRows } }';
    expect((await editor.graphql(query, { id })).text).toContain(first);
  });

  it('returns the same result again', async () => {
    const { id } = await anArtifact(editor);
    const [first, second] = [await runInference(editor, id), await runInference(editor, id)];
    expect(second.body.data.inference).toEqual(first.body.data.inference);
  });

  it('returns the position of values that do not match the type', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => (at === 16 ? 'x17' : `${at}`));
    const { id } = await anArtifact(editor, { content: `id,name\n${ids.map((one) => `${one},Ada\n`).join('')}` });
    const [column] = (await runInference(editor, id)).body.data.inference.columnMetadata;
    expect(column).toMatchObject({
      demoted: true,
      sampleFailures: 1,
      firstSampleError: expect.stringMatching(/^row 17: "x17"/),
    });
  });
});

describe('a run that cannot start', () => {
  it.each([
    ['WA-AF-020', 'not a CSV file', `file_type = 'zip'`],
    ['WA-AF-021', 'not uploaded yet', `upload_status = 'pending', uploading_until = now() + interval '1 minute'`],
    [
      'WA-AF-022',
      'already running',
      `schema_inference_status = 'running', inference_run = gen_random_uuid(), inferring_until = now() + interval '1 minute'`,
    ],
  ])('is rejected without changes: %s, %s', async (code, _, columns) => {
    const { id } = await anArtifact(editor);
    await change(id, columns);
    const before = await fetchOne(id);
    expect(await failureOf(id)).toEqual({ artifact: before, code });
  });

  it('is rejected for a real archive', async () => {
    const { id } = await anArtifact(editor, { name: 'all.zip', content: anArchive({ 'a.csv': 'a' }) });
    expect((await failureOf(id)).code).toBe('WA-AF-020');
  });

  it('can start after the previous run was lost', async () => {
    const { id } = await anArtifact(editor);
    await change(
      id,
      `schema_inference_status = 'running', inference_run = gen_random_uuid(), inferring_until = now() - interval '1 second'`,
    );
    expect(columnTypesOf((await runInference(editor, id)).body.data.artifact)).toEqual(TYPES);
  });
});

describe('a failed run', () => {
  it.each<[code: string, what: string, corrupt: (path: string) => Promise<void>]>([
    ['WA-AF-023', 'the bytes are missing', (path) => rm(path)],
    ['WA-AF-023', 'the bytes differ', (path) => writeFile(path, PEOPLE_CSV.replace('Ada', 'Eve'))],
    ['WA-AF-023', 'the file is shorter', (path) => writeFile(path, PEOPLE_CSV.slice(0, -1))],
    ['WA-AF-023', 'the file is longer', (path) => writeFile(path, `${PEOPLE_CSV}4,Edsger,1930-05-11\n`)],
  ])('keeps the previous schema: %s, %s', async (code, _, corrupt) => {
    const { id } = await anArtifact(editor);
    await runInference(editor, id);
    const { inference, dataSchema } = await inferenceOf(editor, id);
    await corrupt(await bytesOf(id));
    expect((await failureOf(id)).code).toBe(code);
    expect(await inferenceOf(editor, id)).toEqual({
      ...{ schemaInferenceStatus: 'failed', inferenceError: { code, message: expect.any(String) } },
      ...{ inference, dataSchema },
    });
    expect(columnTypesOf({ dataSchema })).toEqual(TYPES);
  });

  it('includes a file truncated after the part that an inference reads', async () => {
    const { id } = await anArtifact(editor, { content: rowsFor(INFERENCE_SAMPLE_BYTES + 100) });
    const path = await bytesOf(id);
    await truncate(path, INFERENCE_SAMPLE_BYTES + 50);
    expect((await failureOf(id)).code).toBe('WA-AF-023');
  });

  it.each([
    ['WA-AF-024', 'a header without rows', 'id,name,born\n'],
    ['WA-AF-009', 'an unclosed quote after the head', ['id', ...Array(6_000).fill('1'.repeat(50)), '"2'].join('\n')],
    ['WA-AF-010', 'a record after the head that is too long', `id\n${'1\n'.repeat(1_000)}${'2'.repeat(1_100_000)}\n`],
  ])('keeps the schema of the upload: %s, %s', async (code, _, content) => {
    const { id, dataSchema } = await anArtifact(editor, { content });
    expect((await failureOf(id)).code).toBe(code);
    expect(await inferenceOf(editor, id)).toEqual({
      ...{ schemaInferenceStatus: 'failed', inferenceError: { code, message: expect.any(String) } },
      ...{ inference: null, dataSchema },
    });
  });

  it('is cleared by a later successful run', async () => {
    const { id } = await anArtifact(editor);
    const path = await bytesOf(id);
    await writeFile(path, '');
    expect((await failureOf(id)).code).toBe('WA-AF-023');
    await writeFile(path, PEOPLE_CSV);
    await runInference(editor, id);
    const { dataSchema, ...state } = await inferenceOf(editor, id);
    expect([state, columnTypesOf({ dataSchema })]).toMatchObject([
      { schemaInferenceStatus: 'succeeded', inferenceError: null },
      TYPES,
    ]);
  });
});
