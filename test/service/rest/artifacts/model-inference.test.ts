import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { decodeId } from '../../../../src/kernel/ids.js';
import {
  anArtifact,
  artifactRows,
  columnTypesOf,
  inferenceOf,
  runInference,
} from '../../../support/artifacts/artifact-requests.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { completion, errorReply, ModelServer } from '../../../support/servers/model-server.js';
import { captureLog } from '../../../support/service/captured-log.js';
import { aService } from '../../../support/service/service.js';

const KEY = 'key-of-the-model';
const ORDERS = `id,paid,city\n${'7,01/02/2024,Oslo\n'.repeat(40)}`;
const PAID = { type: 'Date', format: 'dd/MM/yyyy' };

const model = await new ModelServer(completion({})).open();
const overheard = captureLog();
const env = { MODEL_URL: model.url, MODEL_NAME: model.name, MODEL_API_KEY: KEY, EGRESS_ALLOW: '127.0.0.0/8' };
const service = aService(env, overheard.log as never);
const editor = service.as('editor');

beforeEach(() => {
  model.apiKey = KEY;
  model.answer = completion({ paid: PAID });
});

afterAll(() => model.close());

const anOrder = () => anArtifact(editor, { name: 'orders.csv', content: ORDERS });
const fetchOne = async (id: string) => (await editor.request(`/api/artifacts/${id}`)).body.data;

const rowOf = async (id: string) => (await artifactRows(service)).find((row) => row.id === decodeId(id));

/** Has something happen to a file while the model thinks of it. */
const meanwhile = (happens: () => Promise<unknown>): void => {
  model.answer = async (response) => {
    await happens();
    completion({ paid: PAID })(response);
  };
};

describe('a language model', () => {
  it('is followed where the rules bear it out, and its name and tokens are kept', async () => {
    const { id } = await anOrder();
    const { artifact, inference } = (await runInference(editor, id)).body.data;
    expect(columnTypesOf(artifact)).toEqual({ id: 'Integer', paid: 'Date', city: 'String' });
    expect(artifact.dataSchema.fields[1]).toMatchObject({ format: 'dd/MM/yyyy' });
    expect(inference).toMatchObject({ model: model.name, tokenInputCount: 300, tokenOutputCount: 20 });
    expect((await inferenceOf(editor, id)).inference).toMatchObject({ model: model.name, tokenInputCount: 300 });
  });

  it('is not followed where values say otherwise', async () => {
    model.answer = completion({ paid: { type: 'Date', format: 'yyyy-MM-dd' }, city: { type: 'Integer' } });
    const { artifact, inference } = (await runInference(editor, (await anOrder()).id)).body.data;
    expect(columnTypesOf(artifact)).toMatchObject({ paid: 'String', city: 'String' });
    expect(inference.columnMetadata[2]).toMatchObject({ fieldPath: 'city', demoted: false, sampleFailures: 0 });
  });

  it.each<[code: string, what: string, behave: () => void]>([
    ['WA-AF-026', 'it refuses the key', () => (model.apiKey = 'another')],
    ['WA-AF-026', 'it fails', () => (model.answer = errorReply(503))],
    ['WA-AF-027', 'it says something else', () => (model.answer = completion('I cannot help with that.'))],
  ])('fails the run where it cannot be asked: %s, %s', async (code, _, behave) => {
    const { id, dataSchema } = await anOrder();
    behave();
    const { status, body } = await runInference(editor, id);
    expect([status, body.data.inferenceError.code]).toEqual([200, code]);
    const { inferenceError, ...state } = await inferenceOf(editor, id);
    expect([inferenceError.code, state]).toEqual([
      code,
      { schemaInferenceStatus: 'failed', inference: null, dataSchema },
    ]);
    expect([...overheard.lines, JSON.stringify(body)].filter((line) => line.includes(KEY))).toEqual([]);
  });
});

describe('while a run is under way', () => {
  it('another one is told so, and the first one succeeds', async () => {
    const { id } = await anOrder();
    const seen: unknown[] = [];
    meanwhile(async () => {
      const { body } = await runInference(editor, id);
      seen.push(body.data.inferenceError.code, body.data.artifact.schemaInferenceStatus);
    });
    const { artifact } = (await runInference(editor, id)).body.data;
    expect([seen, artifact.schemaInferenceStatus]).toEqual([['WA-AF-022', 'running'], 'succeeded']);
  });

  it('one that has taken over has the last word', async () => {
    const { id } = await anOrder();
    meanwhile(() =>
      queryAsOwner(service, 'update artifact set inference_run = gen_random_uuid() where id = $1', [decodeId(id)]),
    );
    const { body } = await runInference(editor, id);
    expect([body.data.inferenceError.code, body.data.inference]).toEqual(['WA-AF-022', null]);
    expect(await rowOf(id)).toMatchObject({ schema_inference_status: 'running', inference: null });
  });

  it('the file may be deleted', async () => {
    const { id } = await anOrder();
    meanwhile(() => editor.request(`/api/artifacts/${id}`, { method: 'DELETE' }));
    expect((await runInference(editor, id)).status).toBe(404);
    expect(await fetchOne(id)).toBeNull();
    expect(await rowOf(id)).toMatchObject({ schema_inference_status: 'running', inference: null });
  });

  it('the file may be renamed and moved, and both stay', async () => {
    const { id } = await anOrder();
    const headers = { 'content-type': 'application/json' };
    const body = '{"fileName":"paid.csv","path":"/2024"}';
    meanwhile(() => editor.request(`/api/artifacts/${id}`, { method: 'PATCH', headers, body }));
    await runInference(editor, id);
    expect(await fetchOne(id)).toMatchObject({
      fileName: 'paid.csv',
      path: '/2024',
      schemaInferenceStatus: 'succeeded',
    });
  });
});
