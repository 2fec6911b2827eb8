import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../../support/database/test-jobs.js';
import { anInboundTap, anIngestService, type InboundTap, pushRecords } from '../../../support/ingest/pushed-taps.js';
import { queryField } from '../../../support/service/callers.js';
import { getInstance } from '../../../support/sources/connected-workspace.js';

const service = await anIngestService({ JOBS: 'on', INGEST_FLUSH_SECONDS: '1' });
const owner = service.as('owner');

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;

interface WatchedTap extends InboundTap {
  readonly table: Data;
}

async function tableOf({ tapId }: InboundTap): Promise<Data> {
  const query = 'query ($id: Base62Id!) { tenantConnectorTap(id: $id) { table { id rows rejectedRows } } }';
  return (await queryField(owner, query, { id: tapId })).table;
}

async function aWatchedTap(): Promise<WatchedTap> {
  const tap = await anInboundTap(owner, 'open');
  await pushRecords(service, tap.token, [{ id: 1, name: 'Ada' }]);
  await waitUntil(async () => Boolean(await tableOf(tap)));
  return { ...tap, table: await tableOf(tap) };
}

async function pushAndWait({ token, ...tap }: InboundTap, records: object[]): Promise<void> {
  const count = ({ rows, rejectedRows }: Data): number => Number(rows) + Number(rejectedRows);
  const wanted = count(await tableOf(tap as InboundTap)) + records.length;
  await pushRecords(service, token, records);
  await waitUntil(async () => count(await tableOf(tap as InboundTap)) === wanted);
}

async function contractsOf(table: Data): Promise<Record<string, string>> {
  const query = 'query ($id: Base62Id!) { catalogTable(id: $id) { contracts { id scope } } }';
  const { contracts } = await queryField(owner, query, { id: table.id });
  return Object.fromEntries(contracts.map(({ id, scope }: Data) => [scope, id]));
}

async function change(input: object): Promise<void> {
  await queryField(owner, 'mutation ($input: TableContractInput!) { updateTableContract(input: $input) { id } }', {
    input,
  });
}

async function latest(contractId: string | undefined): Promise<Data> {
  const { results } = (await owner.request('/api/catalog/table-quality-results')).body.data;
  return results.find((one: Data) => [one.tapContractId, one.dataContractId].includes(contractId));
}

async function statusOf({ instance }: InboundTap): Promise<string> {
  return (await getInstance(owner, instance)).connectionStatus;
}

describe('pushed records', () => {
  it('are checked before they are loaded, and then with the whole table, in the same run', async () => {
    const tap = await aWatchedTap();
    const { tap: tapContract, data } = await contractsOf(tap.table);
    const arrived = await latest(tapContract);
    expect(arrived).toMatchObject({ overallStatus: 'PASS', lifecycle: 'promote' });
    expect(arrived.checks.map(({ spec, column }: Data) => [spec.id, column])).toEqual([
      ...[
        ['schema_columns', undefined],
        ['schema_types', undefined],
      ],
      ['null_rate:id', 'id'],
    ]);
    await waitUntil(async () => Boolean(await latest(data)));
    expect(await latest(data)).toMatchObject({ runId: arrived.runId, lifecycle: 'monitor', overallStatus: 'PASS' });
  });

  it('are rejected by batch if a GATE_1 check fails, and none are lost', async () => {
    const tap = await aWatchedTap();
    const { tap: id } = await contractsOf(tap.table);
    await change({ id, rules: [{ type: 'primary_key_null' }] });
    await Promise.all([
      pushRecords(service, tap.token, [{ id: 2, name: 'Alan' }]),
      pushRecords(service, tap.token, [{ id: 3, name: 'Grace' }, { name: 'nobody' }]),
      pushRecords(service, tap.token, [{ id: 4, name: 'Edsger' }]),
    ]);
    await waitUntil(async () => Number((await tableOf(tap)).rows) === 3);
    await waitUntil(async () => Number((await tableOf(tap)).rejectedRows) === 2);
    const { body } = await owner.request(`/api/catalog/tables/${tap.table.id}/rows?kind=rejects`);
    expect(body.data.map(({ record }: Data) => record)).toEqual(['{"id":3,"name":"Grace"}', '{"name":"nobody"}']);
    for (const { reason } of body.data) expect(reason).toContain('primary_key_null');
  });

  it('degrade their connection if a GATE_2 check fails, until a run passes or the tap is deleted', async () => {
    const tap = await aWatchedTap();
    const { tap: id } = await contractsOf(tap.table);
    await change({ id, rules: [{ type: 'null_rate', column: 'name', maxRate: 0.5 }] });
    const statuses: string[] = [];
    for (const record of [{ id: 2 }, { id: 3, name: 'Alan' }, { id: 4 }]) {
      await pushAndWait(tap, [record]);
      statuses.push(await statusOf(tap));
    }
    expect(await latest(id)).toMatchObject({
      overallStatus: 'FAIL',
      checks: [{ spec: { gate: 'GATE_2' }, observed: 1 }],
    });
    expect((await owner.delete(`/api/tenant-connector-taps/${tap.tapId}`)).status).toBe(200);
    const [degraded, healthy] = ['transform_quality_degraded', 'idle'];
    expect([...statuses, await statusOf(tap)]).toEqual([degraded, healthy, degraded, 'disabled']);
  });
});
