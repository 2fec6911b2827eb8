import { beforeAll, describe, expect, it } from 'vitest';
import { decodeId, newId } from '../../../src/kernel/ids.js';
import { seriesIdOf } from '../../../src/quality/contracts/series-key.js';
import { queryAsOwner } from '../../support/database/owner-queries.js';
import { aContract, aTableWithContracts } from '../../support/quality/contract-fixtures.js';
import { queryField } from '../../support/service/callers.js';
import { aService, type Client } from '../../support/service/service.js';
import { createTestWorkspace } from '../../support/service/test-workspace.js';

const RECORD = `mutation ($input: TableRunInput!) { recordTableRun(input: $input) {
  resultId runId capturedAt overallStatus lifecycle dataContractId contract { scope }
  checks { spec { id description gate } column status comparator observed threshold
    evidence { message runOverRunDelta sampleKeys topViolatingValues } } } }`;

const service = aService();
const operator = service.as('operator');

let tableId: string;
let contractId: string;
beforeAll(async () => {
  tableId = (await aTableWithContracts(service, service.as('editor'))).id;
  contractId = await aContract(service, tableId, 'data', { sensitive_columns: ['name'] });
});

const record = (input: object, client: Client = operator) =>
  queryField(client, RECORD, { input: { tableId, runId: newId(), ...input } });

async function errorOf(input: object, client: Client = operator): Promise<string | undefined> {
  const { body } = await client.graphql(RECORD, { input: { tableId, runId: newId(), checks: [CHECK], ...input } });
  const [error] = body.errors ?? [];
  return error && `${error.extensions.code}: ${error.message}`;
}

const CHECK = { id: 'orphans', description: 'Each order has a customer.', gate: 'GATE_2', status: 'PASS' };
const NUMBERS = { comparator: 'LTE', observed: 2, threshold: 1 };
const { status: _, ...UNTOLD } = CHECK;

describe('recordTableRun', () => {
  it('stores checks and points of a job under the contract of the whole table', async () => {
    const evidence = { message: '2 of 9.', runOverRunDelta: 1, sampleKeys: ['1', '2'], topViolatingValues: ['x'] };
    const result = await record({
      ...{ runId: 'nightly/2026-01-31', capturedAt: '2026-01-31T12:00:00.000Z' },
      values: [
        { kind: 'TABLE_ROW_COUNT', value: 9 },
        { kind: 'COLUMN_MEAN', column: 'height', value: -0.5 },
        { kind: 'COLUMN_NULL_RATE', column: 'name', value: 0.25, sampleSize: 2 ** 40 },
      ],
      checks: [
        { ...UNTOLD, ...NUMBERS, column: 'height', evidence },
        { ...CHECK, id: 'other', gate: 'GATE_1' },
      ],
    });
    const spec = { id: 'orphans', description: 'Each order has a customer.', gate: 'GATE_2' };
    expect(result).toMatchObject({
      ...{ runId: 'nightly/2026-01-31', capturedAt: '2026-01-31T12:00:00.000Z', lifecycle: 'transform' },
      ...{ overallStatus: 'FAIL', dataContractId: contractId, contract: { scope: 'data' } },
      checks: [
        { spec: { ...spec, id: 'orphans:height' }, column: 'height', status: 'FAIL', ...NUMBERS, evidence },
        {
          spec: { ...spec, id: 'other', gate: 'GATE_1' },
          column: null,
          status: 'PASS',
          comparator: null,
          evidence: null,
        },
      ],
    });
    const query = `{ catalogTable(id: "${tableId}") { contracts { scope degradedSince
      latestQualityResult { resultId } latestSpcResult { runId series { seriesId latestValue sampleSize } } } } }`;
    const { contracts } = await queryField(operator, query);
    const [ofTable] = contracts.filter(({ scope }: { scope: string }) => scope === 'data');
    expect(ofTable).toMatchObject({
      ...{ latestQualityResult: { resultId: result.resultId }, degradedSince: expect.any(String) },
      latestSpcResult: {
        runId: 'nightly/2026-01-31',
        series: [
          { seriesId: seriesIdOf(contractId, 'TABLE_ROW_COUNT'), latestValue: 9 },
          { seriesId: seriesIdOf(contractId, 'COLUMN_MEAN:height'), latestValue: -0.5, sampleSize: null },
          { seriesId: seriesIdOf(contractId, 'COLUMN_NULL_RATE:name'), latestValue: 0.25, sampleSize: 2 ** 40 },
        ],
      },
    });
  });

  it('replaces the earlier report of the same run', async () => {
    const runId = newId();
    const first = await record({ runId, checks: [CHECK] });
    const second = await record({ runId, checks: [{ ...CHECK, status: 'SKIPPED' }] });
    const rows = await queryAsOwner(service, 'select id from table_quality_result where run_id = $1', [runId]);
    expect([rows.map(({ id }) => id), second.overallStatus]).toEqual([[decodeId(second.resultId)], 'SKIPPED']);
    expect(second.resultId).not.toBe(first.resultId);
  });

  it.each([
    ['LT', 1, 1, 'FAIL'],
    ['LT', 0.5, 1, 'PASS'],
    ['LTE', 1, 1, 'PASS'],
    ['LTE', 1.5, 1, 'FAIL'],
    ['GT', 1, 1, 'FAIL'],
    ['GT', 2, 1, 'PASS'],
    ['GTE', 1, 1, 'PASS'],
    ['GTE', 0, 1, 'FAIL'],
    ['EQ', 1, 1, 'PASS'],
    ['EQ', 2, 1, 'FAIL'],
    ['NEQ', 2, 1, 'PASS'],
    ['NEQ', 1, 1, 'FAIL'],
  ])('computes the status of %s with %d and %d: %s', async (comparator, observed, threshold, status) => {
    const check = { ...UNTOLD, comparator, observed, threshold };
    expect((await record({ checks: [check] })).checks[0].status).toBe(status);
    const wrong = status === 'PASS' ? 'FAIL' : 'PASS';
    expect(await errorOf({ checks: [{ ...check, status: wrong }] })).toBe(
      `BAD_REQUEST: checks[0].status: must be ${status}, which follows from comparator, observed and threshold.`,
    );
    const advice = await record({ checks: [{ ...check, gate: 'GATE_3' }] });
    expect(advice.overallStatus).toBe(status === 'FAIL' ? 'WARN' : 'PASS');
  });

  it('turns a failed check of GATE_3, reported or computed, into a warning', async () => {
    const advice = { ...CHECK, gate: 'GATE_3', status: 'FAIL' };
    const { checks } = await record({ checks: [advice, { ...advice, ...NUMBERS, id: 'b' }] });
    expect(checks.map(({ status }: { status: string }) => status)).toEqual(['WARN', 'WARN']);
  });

  it('truncates evidence, and removes values of sensitive columns', async () => {
    const long = '🌊'.repeat(600);
    const texts = Array(20).fill(long);
    const evidence = { message: long, runOverRunDelta: 2, sampleKeys: texts, topViolatingValues: texts };
    const checks = [
      { ...CHECK, column: 'height', evidence },
      { ...CHECK, column: 'name', evidence },
    ];
    const [open, closed] = (await record({ checks })).checks;
    const cut = (length: number) => '🌊'.repeat(length);
    expect(open.evidence).toEqual({
      ...{ message: cut(500), runOverRunDelta: 2, sampleKeys: Array(10).fill(cut(256)) },
      topViolatingValues: Array(5).fill(cut(64)),
    });
    const nothing = { message: null, sampleKeys: null, topViolatingValues: null };
    expect(closed.evidence).toEqual({ ...nothing, runOverRunDelta: 2 });
  });

  it('removes keys if a column of the primary key is sensitive', async () => {
    await aContract(service, tableId, 'data', { sensitive_columns: ['id'] });
    const evidence = { message: 'Few.', sampleKeys: ['1'], topViolatingValues: ['1.65'] };
    const { checks } = await record({ checks: [{ ...CHECK, column: 'height', evidence }] });
    expect(checks[0].evidence).toMatchObject({ ...evidence, sampleKeys: null });
  });

  it('removes keys and values of a check without a column if any column is sensitive', async () => {
    const evidence = { message: 'Few.', sampleKeys: ['1'], topViolatingValues: ['Ada'] };
    const storedEvidence = async () => (await record({ checks: [{ ...CHECK, evidence }] })).checks[0].evidence;
    await aContract(service, tableId, 'data', { sensitive_columns: ['name'] });
    expect(await storedEvidence()).toMatchObject({ message: 'Few.', sampleKeys: null, topViolatingValues: null });
    await aContract(service, tableId, 'data');
    expect(await storedEvidence()).toMatchObject(evidence);
  });

  it('rejects the mean of a sensitive column, which may be a value', async () => {
    await aContract(service, tableId, 'data', { sensitive_columns: ['height'] });
    const value = { kind: 'COLUMN_MEAN', column: 'height', value: 1.65 };
    expect(await errorOf({ values: [value] })).toBe(
      'BAD_REQUEST: values[0].column: is sensitive, and COLUMN_MEAN would reveal its values.',
    );
    expect(await errorOf({ values: [{ ...value, kind: 'COLUMN_NULL_RATE' }] })).toBeUndefined();
  });

  it('accepts as many points as the contract can evaluate', async () => {
    const fields = Array.from({ length: 31 }, (_, at) => ({ name: `c${at}`, type: 'String' }));
    await aContract(service, tableId, 'data', { window_size: 200, schema: { fields } });
    const values = fields.map(({ name: column }) => ({ kind: 'COLUMN_NULL_RATE', column, value: 0 }));
    expect(await errorOf({ values })).toBe('BAD_REQUEST: values: must have at most 30 items if windowSize is 200.');
    expect(await errorOf({ values: values.slice(1) })).toBeUndefined();
  });

  it('removes the points of a run that is reported again without points', async () => {
    const contract = await aContract(service, tableId, 'data');
    const runId = newId();
    await record({ runId, values: [{ kind: 'TABLE_ROW_COUNT', value: 9 }] });
    await record({ runId, checks: [CHECK] });
    const charts = await queryAsOwner(service, 'select id from table_spc_result where contract_id = $1', [
      decodeId(contract),
    ]);
    expect(charts).toEqual([]);
  });

  it('with points alone, keeps checks of other runs and replaces the checks of its own run', async () => {
    await aContract(service, tableId, 'data');
    const [known, own] = [await record({ checks: [{ ...CHECK, status: 'FAIL' }] }), newId()];
    const latest = async () => {
      const query = `{ catalogTable(id: "${tableId}") { contracts {
        scope degradedSince latestQualityResult { resultId overallStatus } latestSpcResult { runId capturedAt } } } }`;
      const { contracts } = await queryField(operator, query);
      return contracts.find(({ scope }: { scope: string }) => scope === 'data');
    };
    const failed = { resultId: known.resultId, overallStatus: 'FAIL' };
    const values = [{ kind: 'TABLE_ROW_COUNT', value: 9 }];
    expect(await record({ runId: own, values })).toBeNull();
    expect(await latest()).toMatchObject({
      ...{ degradedSince: expect.any(String), latestQualityResult: failed, latestSpcResult: { runId: own } },
    });
    await record({ runId: own, values, checks: [CHECK] });
    expect(await latest()).toMatchObject({ degradedSince: null, latestQualityResult: { overallStatus: 'PASS' } });
    expect(await record({ runId: own, values })).toBeNull();
    expect(await latest()).toMatchObject({ degradedSince: expect.any(String), latestQualityResult: failed });
  });

  it('captures later results at a later time, even after a report of points alone', async () => {
    await aContract(service, tableId, 'data');
    await record({ values: [{ kind: 'TABLE_ROW_COUNT', value: 9 }] });
    await queryAsOwner(service, "update table_spc_result set captured_at = '2100-01-01T00:00:00Z'");
    expect(await record({ checks: [CHECK] })).toMatchObject({ capturedAt: '2100-01-01T00:00:00.001Z' });
  });

  it('creates the missing contract of a table', async () => {
    await queryAsOwner(service, 'delete from table_spc_result');
    await queryAsOwner(service, 'delete from table_quality_result');
    await queryAsOwner(service, 'delete from table_contract');
    expect(await record({ checks: [CHECK] })).toMatchObject({ overallStatus: 'PASS', contract: { scope: 'data' } });
  });

  it('reports the position of an error, and stores nothing', async () => {
    const value = { kind: 'TABLE_BYTES', value: 1 };
    const count = async () => (await queryAsOwner(service, 'select id from table_quality_result')).length;
    const before = await count();
    const refused: [object, string][] = [
      [{ checks: [], values: [] }, 'values: must not be empty if checks is empty.'],
      [{ checks: [UNTOLD] }, 'checks[0].status: is required unless'],
      [{ checks: [{ ...UNTOLD, comparator: 'LT', observed: 1 }] }, 'checks[0].status: is required unless'],
      [{ checks: [CHECK, { ...CHECK, column: 'id' }, CHECK] }, 'checks[2]: has the same id and column as checks[0].'],
      [{ values: [value, value] }, 'values[1]: has the same kind and column as values[0].'],
      [{ values: [{ ...value, column: 'id' }] }, 'values[0].column: is not allowed for TABLE_BYTES.'],
      [{ values: [{ kind: 'COLUMN_MEAN', value: 1 }] }, 'values[0].column: is required for COLUMN_MEAN.'],
      [{ values: [{ kind: 'COLUMN_MEAN', column: 'name', value: 1 }] }, 'values[0].column: must have the type'],
      [{ values: [{ kind: 'COLUMN_NULL_RATE', column: 'x', value: 1 }] }, 'values[0].column: is not a column of'],
      [{ values: [{ ...value, sampleSize: 5 }] }, 'values[0].sampleSize: is not allowed for TABLE_BYTES.'],
      [
        { values: [{ kind: 'COLUMN_NULL_RATE', column: 'name', value: 1.5, sampleSize: 5 }] },
        'values[0].value: must be from 0 to 1 if sampleSize is set.',
      ],
      [{ values: [{ ...value, sampleSize: 0 }] }, 'values[0].sampleSize must be 1 or more.'],
      [{ values: Array(201).fill(value) }, 'values must have 200 or fewer items.'],
      [{ checks: Array(201).fill(CHECK) }, 'checks must have 200 or fewer items.'],
      [{ runId: ' ' }, 'runId must not be blank'],
      [{ runId: 'a'.repeat(201) }, 'runId must have 200 or fewer characters.'],
      [{ checks: [{ ...CHECK, id: '' }] }, 'checks[0].id must have 1 or more characters.'],
      [{ checks: [{ ...CHECK, description: 'a'.repeat(501) }] }, 'checks[0].description must have 500 or fewer'],
      [
        { checks: [{ ...CHECK, evidence: { sampleKeys: ['\0'] } }] },
        'checks[0].evidence.sampleKeys must not contain a NUL',
      ],
      [{ capturedAt: new Date(Date.now() + 90_000) }, 'capturedAt: must not be in the future.'],
      [{ capturedAt: '1999-12-31T23:59:59.999Z' }, 'capturedAt: must be 2000-01-01 or later.'],
    ];
    for (const [input, says] of refused)
      expect((await errorOf(input))?.slice(0, says.length + 13)).toBe(`BAD_REQUEST: ${says}`);
    expect(await count()).toBe(before);
    expect(await errorOf({ capturedAt: new Date(Date.now() + 30_000) })).toBeUndefined();
  });

  it('requires the permission table_runs:write', async () => {
    for (const role of ['editor', 'viewer'] as const)
      expect(await errorOf({}, service.as(role))).toBe(
        'FORBIDDEN: This operation requires the permission table_runs:write.',
      );
  });

  it('returns the same error for a table of another workspace and an unknown table', async () => {
    const stranger = service.as('operator', { slug: await createTestWorkspace(service, 'strangers') });
    for (const [client, id] of [
      [stranger, tableId],
      [operator, newId()],
    ] as const)
      expect(await errorOf({ tableId: id }, client)).toBe(
        'NOT_FOUND: The workspace catalog has no table with this id.',
      );
  });
});
