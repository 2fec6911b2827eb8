import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/kernel/ids.js';
import { seriesIdOf } from '../../../../src/quality/contracts/series-key.js';
import {
  aCheck,
  aContract,
  anSpcResult,
  aQualityResult,
  aTableWithContracts,
} from '../../../support/quality/contract-fixtures.js';
import { anApiKeyClient, queryField } from '../../../support/service/callers.js';
import { aService, type Client, type Reply } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';

const SPC = '/api/catalog/table-spc-results';
const QUALITY = '/api/catalog/table-quality-results';

const service = aService();
const viewer = service.as('viewer');

const at = (second: number) => new Date(Date.UTC(2026, 0, 31, 12, 0, second));

async function aWatchedWorkspace(slug: string) {
  const client = service.as('editor', { slug: await createTestWorkspace(service, slug) });
  const tables = [await aTableWithContracts(service, client), await aTableWithContracts(service, client)];
  const contracts: string[] = [];
  for (const { id } of tables)
    for (const scope of ['tap', 'data'] as const) contracts.push(await aContract(service, id, scope));
  return { client, tables, contracts: contracts as [string, string, string, string] };
}

/** `fetch` adds `Cache-Control: no-cache` to a conditional request. The service ignores this header. */
const unless = (etag: string) => ({ 'if-none-match': etag });

const idsOf = (reply: Reply): string[] => reply.body.data.results.map((one: { resultId: string }) => one.resultId);

describe.each([
  [SPC, anSpcResult, { TABLE_ROW_COUNT: 3 }],
  [QUALITY, aQualityResult, [aCheck()]],
] as const)('GET %s', (path, make, found) => {
  const aResult = make as (...args: unknown[]) => Promise<string>;
  const slug = `results-${path === SPC ? 'spc' : 'quality'}`;
  let watched: Awaited<ReturnType<typeof aWatchedWorkspace>>;
  beforeAll(async () => {
    watched = await aWatchedWorkspace(slug);
  });
  const get = (headers = {}, client: Client = watched.client) => client.request(path, { headers });

  it('requires authentication, and the permission catalog:read', async () => {
    expect((await service.request(path)).status).toBe(401);
    expect((await (await anApiKeyClient(service, ['connectors:read'])).request(path)).status).toBe(403);
    expect((await (await anApiKeyClient(service, ['catalog:read'])).request(path)).status).toBe(200);
  });

  it('returns an empty list with an ETag if there are no results', async () => {
    const { data } = (await get()).body;
    const { tenantId } = await queryField(watched.client, '{ me { tenantId } }');
    expect(data).toEqual({ results: [], resultsVersion: expect.stringMatching(/^[\w-]{27}$/), tenantId });
  });

  it('returns the latest result of each contract, ordered by age of the table, then by scope', async () => {
    const [firstTap, firstData, , secondData] = watched.contracts;
    const results = [];
    for (const contract of [secondData, firstTap, firstData]) {
      results.push(await aResult(service, contract, found, { captured_at: at(2) }));
      await aResult(service, contract, found, { captured_at: at(1) });
    }
    const [ofSecond, ofTap, ofFirst] = results;
    expect(idsOf(await get())).toEqual([ofFirst, ofTap, ofSecond]);
    const { results: shown } = (await get()).body.data;
    expect(shown.map((one: object) => 'tapContractId' in one)).toEqual([false, true, false]);
    expect([shown[0].dataContractId, shown[1].tapContractId]).toEqual([firstData, firstTap]);
  });

  it('hides other workspaces', async () => {
    expect(idsOf(await get()).length).toBe(3);
    expect(idsOf(await get({}, viewer))).toEqual([]);
  });

  it('has a weak ETag if compressed', async () => {
    const { headers, body } = await get({ 'accept-encoding': 'br' });
    const tag = `W/"${body.data.resultsVersion}"`;
    expect([headers.get('content-encoding'), headers.get('etag')]).toEqual(['br', tag]);
    const same = await get(unless(tag));
    expect([same.status, same.headers.get('etag')]).toEqual([304, tag]);
  });

  it('returns 304 while nothing has changed', async () => {
    const before = await get({ 'accept-encoding': 'identity' });
    const etag = before.headers.get('etag') as string;
    expect([etag, before.headers.get('cache-control')]).toEqual([
      `"${before.body.data.resultsVersion}"`,
      'private, no-cache',
    ]);
    for (const named of [etag, `W/${etag}`, `"a,b", W/"c" ,${etag}`, '*']) {
      const same = await get(unless(named));
      expect([same.status, same.text]).toEqual([304, '']);
      expect(same.headers.get('etag')).toBe(named.startsWith('W/') ? named : etag);
    }
    for (const other of [etag.slice(1, -1), `"x${etag.slice(1)}`, '"*"', 'W/"c"'])
      expect((await get(unless(other))).status).toBe(200);
    // The result of an earlier run does not change the latest result.
    await aResult(service, watched.contracts[0], found, { captured_at: at(1) });
    expect((await get(unless(etag))).status).toBe(304);
    await aResult(service, watched.contracts[0], found, { captured_at: at(3) });
    const after = await get(unless(etag));
    expect([after.status, after.headers.get('etag') === etag]).toEqual([200, false]);
  });

  it('does not reveal to unauthorized callers whether an ETag matches', async () => {
    const etag = (await get()).headers.get('etag') as string;
    const headers = unless(etag);
    const stranger = service.as('owner', { named: slug });
    const replies = [
      await service.request(path, { headers: { ...headers, 'x-tenant': slug } }),
      await stranger.request(path, { headers }),
      await (await anApiKeyClient(service, [], slug)).request(path, { headers }),
    ];
    expect(replies.map(({ status, headers }) => [status, headers.get('etag')])).toEqual([
      [401, null],
      [403, null],
      [403, null],
    ]);
    expect((await get(headers, viewer)).status).toBe(200);
  });

  it('returns the latest result of a job and of the service, in any order', async () => {
    const { client, contracts } = await aWatchedWorkspace(`${slug}-origins`);
    const [, contract] = contracts;
    const own = (second: number) => aResult(service, contract, found, { captured_at: at(second) });
    const reported = (second: number) =>
      aResult(service, contract, found, { captured_at: at(second), is_reported: true });
    await own(1);
    await reported(2);
    const [ownFirst, reportedLast] = [await own(3), await reported(4)];
    const before = await get({}, client);
    expect(idsOf(before)).toEqual([ownFirst, reportedLast]);
    const ownLast = await own(5);
    const after = await get(unless(before.headers.get('etag') as string), client);
    expect([after.status, idsOf(after)]).toEqual([200, [ownLast, reportedLast]]);
  });

  it('excludes tables whose tap is deleted', async () => {
    const left = idsOf(await get()).length;
    await watched.client.delete(`/api/tenant-connector-taps/${watched.tables[0]?.tapId}`);
    expect([left, idsOf(await get()).length]).toEqual([3, 1]);
  });
});

describe('a result', () => {
  it('has the stored values and only documented fields', async () => {
    const { client, contracts } = await aWatchedWorkspace('shapes');
    const [tap, data] = contracts;
    const limits = { mean: 2, stddev: 0.5, lowerControl3Sigma: 0.5, lowerWarning2Sigma: 1 };
    const upper = { upperWarning2Sigma: 3, upperControl3Sigma: 3.5, trendSlope: -0.25 };
    const violations = [{ ruleId: 'NELSON_1' as const, description: 'Too "high".', pointsInvolved: 1 }];
    const status = 'OUT_OF_CONTROL' as const;
    const high = { latestValue: 9.5, status, violations, ...limits, ...upper };
    const run = { run_id: 'nightly/1', captured_at: at(1), overall_status: status };
    const resultId = await anSpcResult(service, data, { 'COLUMN_MEAN:height': high, TABLE_ROW_COUNT: 3 }, run);
    expect((await client.request(SPC)).body.data.results).toEqual([
      {
        ...{ resultId, runId: 'nightly/1', capturedAt: at(1).toISOString(), overallStatus: status, windowSize: 30 },
        series: [
          { seriesId: seriesIdOf(data, 'COLUMN_MEAN:height'), seriesKind: 'COLUMN_MEAN', ...high },
          {
            ...{ seriesId: seriesIdOf(data, 'TABLE_ROW_COUNT'), seriesKind: 'TABLE_ROW_COUNT', status: 'IN_BOUNDS' },
            ...{ latestValue: 3, violations: [], mean: 3, stddev: 0, lowerControl3Sigma: 3, lowerWarning2Sigma: 3 },
            ...{ upperWarning2Sigma: 3, upperControl3Sigma: 3 },
          },
        ],
        dataContractId: data,
      },
    ]);
    const evidence = { message: 'Low.', runOverRunDelta: -1, sampleKeys: ['1'], topViolatingValues: ['x'] };
    const numbers = { comparator: 'GTE' as const, observed: 2, threshold: 3 };
    const checks = [aCheck({ status: 'FAIL', evidence, ...numbers }), aCheck({ key: 'other' })];
    const spec = { id: 'null_rate', description: 'No nulls.', gate: 'GATE_2' as const };
    const older = ['a', 'b:c'].map((column) => aCheck({ spec, key: `null_rate:${column}` }));
    const checked = await aQualityResult(service, tap, [...checks, ...older], { ...run, overall_status: 'FAIL' });
    expect((await client.request(QUALITY)).body.data.results).toEqual([
      {
        ...{ resultId: checked, runId: 'nightly/1', capturedAt: at(1).toISOString(), overallStatus: 'FAIL' },
        ...{ lifecycle: 'promote', tapContractId: tap },
        checks: [
          ...checks.map(({ key: _, ...check }) => check),
          { spec: { ...spec, id: 'null_rate:a' }, column: 'a', status: 'PASS' },
          { spec: { ...spec, id: 'null_rate:b:c' }, column: 'b:c', status: 'PASS' },
        ],
      },
    ]);
  });
});

describe('GET /api/catalog/tables/{id}/spc/{seriesId}.svg', () => {
  const NAMES = ['plain', 'a.svg', '.svg', 'x.svg.svg', 'a/b', '"q" \'<b>', 'naïve 🌊', 'a:b', '100%', 'a?b#c', '..'];
  let tableId: string;
  let contractId: string;
  beforeAll(async () => {
    tableId = (await aTableWithContracts(service, service.as('editor'))).id;
    contractId = await aContract(service, tableId);
    for (const second of [1, 2, 3]) {
      const points = NAMES.map((name) => [`COLUMN_MEAN:${name}`, second] as const);
      await anSpcResult(service, contractId, Object.fromEntries(points), { captured_at: at(second) });
    }
  });
  const addressOf = (id: string, seriesId: string) =>
    `/api/catalog/tables/${id}/spc/${encodeURIComponent(seriesId)}.svg`;
  const chartOf = (key: string, client: Client = viewer, query = '') =>
    client.request(addressOf(tableId, seriesIdOf(contractId, key)) + query);

  it('requires authentication, and the permission catalog:read', async () => {
    expect((await chartOf('COLUMN_MEAN:plain', service)).status).toBe(401);
    const program = await anApiKeyClient(service, ['connectors:read']);
    const { status, headers, body } = await chartOf('COLUMN_MEAN:plain', program);
    expect([status, headers.get('content-type'), body.error]).toEqual([
      ...[403, 'application/json; charset=utf-8', 'FORBIDDEN: This operation requires the permission catalog:read.'],
    ]);
  });

  it('is a self-contained image without scripts', async () => {
    const { status, headers, text } = await chartOf('COLUMN_MEAN:plain');
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect([headers.get('content-security-policy'), headers.get('x-content-type-options')]).toEqual([
      "default-src 'none'; style-src 'unsafe-inline'",
      'nosniff',
    ]);
    expect([text.slice(0, 4), headers.get('cache-control')]).toEqual(['<svg', 'no-store']);
    const head = await viewer.request(addressOf(tableId, seriesIdOf(contractId, 'COLUMN_MEAN:plain')), {
      headers: { 'accept-encoding': 'identity' },
      method: 'HEAD',
    });
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      ...[200, '', `${Buffer.byteLength(text)}`],
    ]);
  });

  it.each(NAMES)('finds the series of a column with the name %j', async (name) => {
    expect((await chartOf(`COLUMN_MEAN:${name}`)).status).toBe(200);
  });

  it('of another workspace is indistinguishable from a missing chart', async () => {
    const slug = await createTestWorkspace(service, 'charts');
    const other = service.as('editor', { slug });
    const foreign = (await aTableWithContracts(service, other)).id;
    const foreignContract = await aContract(service, foreign);
    await anSpcResult(service, foreignContract, { TABLE_ROW_COUNT: 3 });
    const theirs = seriesIdOf(foreignContract, 'TABLE_ROW_COUNT');
    expect((await other.request(addressOf(foreign, theirs))).status).toBe(200);
    const another = await aContract(service, (await aTableWithContracts(service, service.as('editor'))).id);
    await anSpcResult(service, another, { TABLE_ROW_COUNT: 3 });
    const missing = [
      addressOf(tableId, seriesIdOf(another, 'TABLE_ROW_COUNT')),
      addressOf(foreign, theirs),
      addressOf(newId(), seriesIdOf(newId(), 'TABLE_ROW_COUNT')),
      addressOf(tableId, theirs),
      addressOf(foreign, seriesIdOf(contractId, 'COLUMN_MEAN:plain')),
      addressOf(tableId, seriesIdOf(contractId, 'COLUMN_MEAN:Plain')),
      addressOf(tableId, seriesIdOf(contractId, '')),
      addressOf(tableId, 'nothing'),
    ];
    const replies = await Promise.all(missing.map((address) => viewer.request(address)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['404 {"error":"NOT_FOUND: The table does not exist in the workspace catalog, or has no such series."}']),
    );
  });

  it('shows the requested number of latest points', async () => {
    const two = await chartOf('COLUMN_MEAN:plain', viewer, '?points=2');
    const all = await chartOf('COLUMN_MEAN:plain');
    expect([two.status, two.text === all.text]).toEqual([200, false]);
    for (const points of ['1', '201', 'x'])
      expect((await chartOf('COLUMN_MEAN:plain', viewer, `?points=${points}`)).status).toBe(400);
  });

  it('returns 404 once the tap is deleted', async () => {
    const { id, tapId } = await aTableWithContracts(service, service.as('editor'));
    const contract = await aContract(service, id, 'tap');
    await anSpcResult(service, contract, { TABLE_ROW_COUNT: 3 });
    const address = addressOf(id, seriesIdOf(contract, 'TABLE_ROW_COUNT'));
    expect((await viewer.request(address)).status).toBe(200);
    await service.as('editor').delete(`/api/tenant-connector-taps/${tapId}`);
    expect((await viewer.request(address)).status).toBe(404);
  });
});
