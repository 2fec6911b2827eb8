import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import {
  aCheck,
  aContract,
  anSpcResult,
  aQualityResult,
  aTableWithContracts,
} from '../../support/quality/contract-fixtures.js';
import { errorCodesOf, queryField } from '../../support/service/callers.js';
import { aService, type Client } from '../../support/service/service.js';
import { createTestWorkspace } from '../../support/service/test-workspace.js';

const TERMS = `id version scope schema allowsNewColumns primaryKey timestampColumn sensitiveColumns series { kind column baseline }
  rules { type column maxRate minimum maximum maxSeconds values pattern }
  windowSize minHistoryForViolation sigmaMethod extraSpcRules runScope`;
const UPDATE = `mutation ($input: TableContractInput!) { updateTableContract(input: $input) { ${TERMS} } }`;

const service = aService();
const editor = service.as('editor');
const at = (second: number) => new Date(Date.UTC(2026, 0, 31, 12, 0, second));
const times = (seconds: number[]) => seconds.map((second) => at(second).toISOString());

let tableId: string;
beforeAll(async () => {
  tableId = (await aTableWithContracts(service, editor)).id;
});

const update = (input: object, client: Client = editor) => queryField(client, UPDATE, { input });

async function errorOf(input: object, client: Client = editor): Promise<string | undefined> {
  const { body } = await client.graphql(UPDATE, { input });
  const [error] = body.errors ?? [];
  return error && `${error.extensions.code}: ${error.message}`;
}

describe('updateTableContract', () => {
  it('changes only the given fields, and increases the version', async () => {
    const id = await aContract(service, tableId, 'tap');
    const schema = {
      fields: [
        { name: 'id', type: 'Integer' },
        { name: 'price', type: 'Decimal' },
        ...['name', 'born', 'height'].map((name) => ({ name, type: 'String' })),
      ],
    };
    const changes = {
      ...{ allowsNewColumns: false, primaryKey: ['id', 'name'], timestampColumn: 'born', sensitiveColumns: ['name'] },
      ...{
        series: [{ kind: 'TABLE_BYTES' }, { kind: 'COLUMN_MEAN', column: 'price', baseline: 'weekday' }],
        windowSize: 200,
      },
      rules: [
        { type: 'range', column: 'height', minimum: 0, maxRate: 0.25, maximum: null },
        { type: 'pattern', column: 'name', pattern: '\\p{Lu}\\S*' },
      ],
      ...{ minHistoryForViolation: 200, sigmaMethod: 'moving_range', extraSpcRules: ['NELSON_7'], runScope: 'batch' },
    };
    const changed = await update({ id, version: 1, schema, ...changes });
    expect(changed).toMatchObject({
      ...{ ...changes, id, version: 2, scope: 'tap' },
      schema: { fields: [schema.fields[0], { ...schema.fields[1], scale: 0 }, ...schema.fields.slice(2)] },
      series: [{ kind: 'TABLE_BYTES', column: null }, changes.series[1]],
    });
    expect(await update({ id, windowSize: 200, allowsNewColumns: null })).toEqual(changed);
    const cleared = await update({ id, timestampColumn: null });
    expect(cleared).toEqual({ ...changed, version: 3, timestampColumn: null });
    const { contracts } = await queryField(editor, `{ catalogTable(id: "${tableId}") { contracts { ${TERMS} } } }`);
    expect(contracts.find((one: { scope: string }) => one.scope === 'tap')).toEqual(cleared);
  });

  it('returns CONFLICT without changes for an outdated version', async () => {
    const id = await aContract(service, tableId, 'tap');
    const both = await Promise.all([50, 60].map((windowSize) => errorOf({ id, version: 1, windowSize })));
    const conflict = 'CONFLICT: The contract is now at version 2. Read the contract again, then repeat the change.';
    expect(both.filter((refusal) => refusal === conflict).length).toBe(1);
    expect(await errorOf({ id, version: 3, windowSize: 70 })).toBe(conflict);
    expect([50, 60]).toContain((await update({ id, version: 2 })).windowSize);
  });

  it('requires the permission contracts:write', async () => {
    const id = await aContract(service, tableId, 'tap');
    for (const role of ['operator', 'viewer'] as const)
      expect(await errorOf({ id }, service.as(role))).toBe(
        'FORBIDDEN: This operation requires the permission contracts:write.',
      );
  });

  it('returns the same error for an unknown contract, a deleted contract and a contract of another workspace', async () => {
    const slug = await createTestWorkspace(service, 'contracts');
    const foreign = await aContract(service, (await aTableWithContracts(service, service.as('editor', { slug }))).id);
    const left = await aTableWithContracts(service, editor);
    const ended = await aContract(service, left.id);
    await editor.delete(`/api/tenant-connector-taps/${left.tapId}`);
    for (const id of [foreign, newId(), ended])
      expect(await errorOf({ id, windowSize: 50 })).toBe(
        'NOT_FOUND: The contract does not exist in the workspace catalog.',
      );
  });

  it('reports the position of an error, and stores nothing', async () => {
    const id = await aContract(service, tableId, 'tap', { rules: [{ type: 'primary_key_null' }] });
    const range = { type: 'range', column: 'height', minimum: 0 };
    const pattern = (text: string) => ({ type: 'pattern', column: 'name', pattern: text });
    const many = (count: number) => Array.from({ length: count }, () => ({ type: 'schema_types' }));
    const refused: [object, string][] = [
      [{ rules: [range, { ...range, column: 'name' }] }, 'rules[1].column: must have the type Integer or'],
      [{ rules: [range, pattern('(')] }, 'rules[1].pattern: is not a valid RE2 regular expression.'],
      [{ rules: [pattern('(?=a)')] }, 'rules[0].pattern: is not a valid RE2 regular expression.'],
      [{ rules: [pattern("'; select 1")], windowSize: 4 }, 'windowSize must be 5 or more.'],
      [{ allowsNewColumns: false, schema: { fields: [] } }, 'schema.fields: must name all columns of the table'],
      [{ timestampColumn: '' }, 'timestampColumn: is not a column of the table'],
      [{ windowSize: 201 }, 'windowSize must be 200 or less.'],
      [{ minHistoryForViolation: 1 }, 'minHistoryForViolation must be 2 or more.'],
      // `minHistoryForViolation` is 14.
      [{ windowSize: 13 }, 'minHistoryForViolation: must not exceed windowSize (13)'],
      // The contract has a rule `primary_key_null`.
      [{ primaryKey: [] }, 'rules[0].type: primary_key_null requires a primaryKey.'],
      [{ rules: many(201) }, 'rules must have 200 or fewer items.'],
      [{ rules: many(2) }, 'rules[1]: has the same type and column as rules[0].'],
      [{ rules: [{ ...range, column: 'a\0' }] }, 'rules[0].column must not contain a NUL character.'],
      [{ rules: [{ ...range, column: 'é'.repeat(257) }] }, 'rules[0].column must have 256 or fewer characters.'],
      [{ rules: [pattern('\ud800')] }, 'rules[0].pattern is not well-formed Unicode.'],
      [{ schema: { fields: [{ name: '', type: 'String' }] } }, 'schema.fields[0].name must have 1 or more characters.'],
    ];
    for (const [input, says] of refused)
      expect((await errorOf({ id, ...input }))?.slice(0, says.length + 13)).toBe(`BAD_REQUEST: ${says}`);
    expect((await update({ id })).version).toBe(1);
  });
});

describe('a column that becomes sensitive', () => {
  const evidence = { message: 'Ada.', sampleKeys: ['1'], topViolatingValues: ['Ada'] };
  const checks = [aCheck({ evidence }), aCheck({ key: 'bare', evidence: { sampleKeys: ['1'] } }), aCheck({ key: 'c' })];
  const RESULTS = '/api/catalog/table-quality-results';

  it('is sensitive for both contracts of the table, and its values are removed from stored results', async () => {
    const slug = await createTestWorkspace(service, 'sensitive');
    const owner = service.as('owner', { slug });
    const { id: table } = await aTableWithContracts(service, owner);
    const [tap, data] = [await aContract(service, table, 'tap'), await aContract(service, table)];
    const former = [
      await aQualityResult(service, tap, checks),
      await aQualityResult(service, data, checks, { captured_at: at(1) }),
      await aQualityResult(service, data, checks, { captured_at: at(2), is_reported: true }),
    ];
    const untouched = await aQualityResult(service, tap, [aCheck()], { captured_at: at(0) });
    await anSpcResult(service, data, { 'COLUMN_MEAN:height': 1.65, 'COLUMN_NULL_RATE:height': 0.5 });
    const etag = (await owner.request(RESULTS)).headers.get('etag') as string;

    await update({ id: tap, sensitiveColumns: ['name', 'height'] }, owner);

    const { contracts } = await queryField(
      owner,
      `{ catalogTable(id: "${table}") { contracts { scope version sensitiveColumns } } }`,
    );
    const terms = { version: 2, sensitiveColumns: ['name', 'height'] };
    expect(contracts).toEqual(expect.arrayContaining(['tap', 'data'].map((scope) => ({ scope, ...terms }))));
    const query = `query ($id: Base62Id!) { tableQualityHistory(contractId: $id, limit: 9) { items {
      id checks { spec { id } status evidence { message sampleKeys topViolatingValues } } } } }`;
    const pages = [await queryField(owner, query, { id: tap }), await queryField(owner, query, { id: data })];
    const kept = pages.flatMap(({ items }) => items);
    const { id: _, ...spec } = { id: 0, spec: { id: 'row_count_min' }, status: 'PASS' };
    const hidden = (message: string | null) => ({
      ...spec,
      evidence: { message, sampleKeys: null, topViolatingValues: null },
    });
    const none = { ...spec, evidence: null };
    expect(kept.map((one) => one.checks)).toEqual([
      [hidden('Ada.'), none, none],
      [none],
      [none, none, none],
      [hidden('Ada.'), none, none],
    ]);
    const ids = kept.map(({ id }) => id);
    expect([ids.includes(untouched), former.filter((id) => ids.includes(id))]).toEqual([true, []]);
    expect((await owner.request(RESULTS, { headers: { 'if-none-match': etag } })).status).toBe(200);
    const { body } = await owner.request('/api/catalog/table-spc-results');
    expect(body.data.results[0].series.map((one: { seriesKind: string }) => one.seriesKind)).toEqual([
      'COLUMN_NULL_RATE',
    ]);
  });

  it('may be named by only one of the contracts', async () => {
    const [id, other] = [await aContract(service, tableId, 'tap'), await aContract(service, tableId)];
    const schema = { fields: [{ name: 'to_come', type: 'String' }] };
    await update({ id, schema, sensitiveColumns: ['to_come'] });
    expect((await update({ id: other, windowSize: 50 })).sensitiveColumns).toEqual(['to_come']);
    expect(await errorOf({ id, schema: { fields: [] } })).toMatch('BAD_REQUEST: sensitiveColumns[0]: is not a column');
  });

  it('removes nothing if the column was sensitive before', async () => {
    const id = await aContract(service, tableId, 'tap', { sensitive_columns: ['name'] });
    await aContract(service, tableId, 'data', { sensitive_columns: ['name'] });
    const former = await aQualityResult(service, id, checks);
    await update({ id, sensitiveColumns: ['name'], windowSize: 50 });
    await update({ id, sensitiveColumns: [] });
    const query = `{ tableQualityHistory(contractId: "${id}") { items { id } } }`;
    expect((await queryField(editor, query)).items).toEqual([{ id: former }]);
  });
});

describe('a removed rule', () => {
  it('no longer degrades the table, but other rules still do', async () => {
    const { id: table } = await aTableWithContracts(service, editor);
    const rule = (column: string) => ({ type: 'null_rate', column });
    const id = await aContract(service, table, 'data', {
      ...{ rules: [rule('name'), rule('height')], degraded_since: at(1) },
    });
    const spec = { id: 'null_rate', description: 'Few are missing.', gate: 'GATE_2' as const };
    const checks = ['name', 'height'].map((column) => aCheck({ key: `null_rate:${column}`, spec, status: 'FAIL' }));
    const result = await aQualityResult(service, id, checks, { is_degraded: true, lifecycle: 'monitor' });
    const since = async () => {
      const { contracts } = await queryField(
        editor,
        `{ catalogTable(id: "${table}") { contracts { id degradedSince } } }`,
      );
      return contracts.find((one: { id: string }) => one.id === id).degradedSince;
    };
    await update({ id, rules: [rule('height')] });
    expect(await since()).toEqual(at(1).toISOString());
    await update({ id, rules: [rule('born')] });
    expect(await since()).toBeNull();
    const query = `{ tableQualityHistory(contractId: "${id}") { items { id } } }`;
    expect((await queryField(editor, query)).items).toEqual([{ id: result }]);
  });
});

describe('the history of a contract', () => {
  const QUERY = `query ($contractId: Base62Id!, $before: DateTime, $after: String, $limit: Int = 50) {
    history: FIELD(contractId: $contractId, before: $before, after: $after, limit: $limit) {
      items { id resultId capturedAt dataContractId tapContractId contract { id } } next } }`;

  describe.each(['tableSpcHistory', 'tableQualityHistory'])('%s', (field) => {
    const query = QUERY.replace('FIELD', field);
    const fetchPage = (variables: object) => queryField(editor, query, variables);
    let contractId: string;
    const SECONDS = [1, 2, 2, 2, 2, 3];
    beforeAll(async () => {
      contractId = await aContract(service, tableId);
      for (const second of SECONDS) {
        const fields = { captured_at: at(second) };
        if (field === 'tableSpcHistory') await anSpcResult(service, contractId, { TABLE_ROW_COUNT: 1 }, fields);
        else await aQualityResult(service, contractId, undefined, fields);
      }
    });
    const timesOf = ({ items }: { items: { capturedAt: string }[] }) => items.map(({ capturedAt }) => capturedAt);

    it('returns results before a time, newest first', async () => {
      const { items, next } = await fetchPage({ contractId });
      expect([timesOf({ items }), next]).toEqual([times([3, 2, 2, 2, 2, 1]), null]);
      expect(items[0]).toMatchObject({ resultId: items[0].id, dataContractId: contractId, tapContractId: null });
      expect(items[0].contract.id).toBe(contractId);
      expect(timesOf(await fetchPage({ contractId, before: at(3) }))).toEqual(times([2, 2, 2, 2, 1]));
      expect(timesOf(await fetchPage({ contractId, before: at(2) }))).toEqual(times([1]));
      expect(timesOf(await fetchPage({ contractId, before: '0001-01-01T00:00:00.000Z' }))).toEqual([]);
      expect(timesOf(await fetchPage({ contractId, before: '9999-12-31T23:59:59.999Z' })).length).toBe(6);
    });

    it.each([1, 2, 3])(
      'loses and repeats no results in pages of %d, even with results of the same time',
      async (limit) => {
        const { items: all } = await fetchPage({ contractId });
        const seen: unknown[] = [];
        let after: string | null = null;
        do {
          const page: { items: unknown[]; next: string | null } = await fetchPage({ contractId, limit, after });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          seen.push(...page.items);
          after = page.next;
        } while (after !== null);
        expect(seen).toEqual(all);
      },
    );

    it('accepts up to 250 results, and only `next` as cursor', async () => {
      const [day, noDay] = ['2026-02-28T00:00:00.000Z', '2026-99-99T00:00:00.000Z'];
      for (const after of ['x', `${day} ${newId()}x`, `${day} ${'z'.repeat(22)}`, `${noDay} ${newId()}`]) {
        const { body } = await editor.graphql(query, { contractId, after });
        expect(body.errors).toMatchObject([
          { message: 'after must be the `next` value of an earlier page.', extensions: { code: 'BAD_REQUEST' } },
        ]);
      }
      for (const limit of [251, 0])
        expect(await errorCodesOf(editor, query, { contractId, limit })).toEqual(['BAD_REQUEST']);
    });

    it('returns NOT_FOUND for an unknown contract and for a contract of another workspace', async () => {
      const stranger = service.as('editor', { slug: await createTestWorkspace(service, field.toLowerCase()) });
      for (const [client, id] of [
        [stranger, contractId],
        [editor, newId()],
      ] as const)
        expect(await errorCodesOf(client, query, { contractId: id })).toEqual(['NOT_FOUND']);
    });
  });
});
