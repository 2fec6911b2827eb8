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
const capturedLog = captureLog();
const env = { MODEL_URL: model.url, MODEL_NAME: model.name, MODEL_API_KEY: KEY, EGRESS_ALLOW: '127.0.0.0/8' };
const service = aService(env, capturedLog.log as never);
const editor = service.as('editor');

beforeEach(() => {
  model.apiKey = KEY;
  model.answer = completion({ paid: PAID });
});

afterAll(() => model.close());

const anOrder = () => anArtifact(editor, { name: 'orders.csv', content: ORDERS });
const fetchOne = async (id: string) => (await editor.request(`/api/artifacts/${id}`)).body.data;

const rowOf = async (id: string) => (await artifactRows(service)).find((row) => row.id === decodeId(id));

const duringInference = (work: () => Promise<unknown>): void => {
  model.answer = async (response) => {
    await work();
    completion({ paid: PAID })(response);
  };
};

describe('a language model', () => {
  it('determines the types that the rules confirm, and the inference contains its name and tokens', async () => {
    const { id } = await anOrder();
    const { artifact, inference } = (await runInference(editor, id)).body.data;
    expect(columnTypesOf(artifact)).toEqual({ id: 'Integer', paid: 'Date', city: 'String' });
    expect(artifact.dataSchema.fields[1]).toMatchObject({ format: 'dd/MM/yyyy' });
    expect(inference).toMatchObject({ model: model.name, tokenInputCount: 300, tokenOutputCount: 20 });
    expect((await inferenceOf(editor, id)).inference).toMatchObject({ model: model.name, tokenInputCount: 300 });
  });

  it('is ignored if values contradict it', async () => {
    model.answer = completion({ paid: { type: 'Date', format: 'yyyy-MM-dd' }, city: { type: 'Integer' } });
    const { artifact, inference } = (await runInference(editor, (await anOrder()).id)).body.data;
    expect(columnTypesOf(artifact)).toMatchObject({ paid: 'String', city: 'String' });
    expect(inference.columnMetadata[2]).toMatchObject({ fieldPath: 'city', demoted: false, sampleFailures: 0 });
  });

  it.each<[code: string, what: string, behave: () => void]>([
    ['WA-AF-026', 'the endpoint rejects the key', () => (model.apiKey = 'another')],
    ['WA-AF-026', 'the endpoint fails', () => (model.answer = errorReply(503))],
    ['WA-AF-027', 'the response is not usable', () => (model.answer = completion('I cannot help with that.'))],
  ])('fails the run with %s: %s', async (code, _, behave) => {
    const { id, dataSchema } = await anOrder();
    behave();
    const { status, body } = await runInference(editor, id);
    expect([status, body.data.inferenceError.code]).toEqual([200, code]);
    const { inferenceError, ...state } = await inferenceOf(editor, id);
    expect([inferenceError.code, state]).toEqual([
      code,
      { schemaInferenceStatus: 'failed', inference: null, dataSchema },
    ]);
    expect([...capturedLog.lines, JSON.stringify(body)].filter((line) => line.includes(KEY))).toEqual([]);
  });
});

describe('during an inference', () => {
  it('rejects another run, and completes the first run', async () => {
    const { id } = await anOrder();
    const seen: unknown[] = [];
    duringInference(async () => {
      const { body } = await runInference(editor, id);
      seen.push(body.data.inferenceError.code, body.data.artifact.schemaInferenceStatus);
    });
    const { artifact } = (await runInference(editor, id)).body.data;
    expect([seen, artifact.schemaInferenceStatus]).toEqual([['WA-AF-022', 'running'], 'succeeded']);
  });

  it('keeps the result of a run that has taken over', async () => {
    const { id } = await anOrder();
    duringInference(() =>
      queryAsOwner(service, 'update artifact set inference_run = gen_random_uuid() where id = $1', [decodeId(id)]),
    );
    const { body } = await runInference(editor, id);
    expect([body.data.inferenceError.code, body.data.inference]).toEqual(['WA-AF-022', null]);
    expect(await rowOf(id)).toMatchObject({ schema_inference_status: 'running', inference: null });
  });

  it('allows the file to be deleted', async () => {
    const { id } = await anOrder();
    duringInference(() => editor.delete(`/api/artifacts/${id}`));
    expect((await runInference(editor, id)).status).toBe(404);
    expect(await fetchOne(id)).toBeNull();
    expect(await rowOf(id)).toMatchObject({ schema_inference_status: 'running', inference: null });
  });

  it('allows the file to be renamed and moved, and keeps both changes', async () => {
    const { id } = await anOrder();
    const change = { fileName: 'paid.csv', path: '/2024' };
    duringInference(() => editor.patch(`/api/artifacts/${id}`, change));
    await runInference(editor, id);
    expect(await fetchOne(id)).toMatchObject({
      fileName: 'paid.csv',
      path: '/2024',
      schemaInferenceStatus: 'succeeded',
    });
  });
});
