import { beforeAll, describe, expect, it } from 'vitest';
import { decodeId, newId } from '../../../src/kernel/ids.js';
import { queryAsOwner } from '../../support/database/owner-queries.js';
import { aTableWithContracts } from '../../support/quality/contract-fixtures.js';
import { queryField } from '../../support/service/callers.js';
import { openStream } from '../../support/service/live-stream.js';
import { aConnectedWorkspace, connect } from '../../support/sources/connected-workspace.js';

const { service, vendor } = await aConnectedWorkspace();
const editor = service.as('editor');
const operator = service.as('operator');

const REPORT = 'mutation ($input: SyncJobInput!) { recordSyncJob(input: $input) { id } }';
const RECORD = 'mutation ($input: TableRunInput!) { recordTableRun(input: $input) { resultId } }';
const CHECK = { id: 'orphans', description: 'Each order has a customer.', gate: 'GATE_3', status: 'PASS' };

let instanceId: string;
let table: { id: string; tapId: string };
beforeAll(async () => {
  instanceId = (await connect(editor, 'bearer', vendor.credentials.bearer)).body.data.id;
  table = await aTableWithContracts(service, editor);
});

describe('syncJobChanged', () => {
  it('sends each report of a runner, and the connection sends its new status', async () => {
    const jobs = await openStream(
      service,
      'subscription ($id: Base62Id) { job: syncJobChanged(instanceId: $id) { id status recordsRead } }',
      { variables: { id: instanceId } },
    );
    const others = await openStream(
      service,
      `subscription { job: syncJobChanged(instanceId: "${newId()}") { id status recordsRead } }`,
    );
    const connections = await openStream(
      service,
      'subscription ($id: Base62Id) { one: tenantConnectorInstanceChanged(id: $id) { lastSyncStatus syncJobs { id } } }',
      { variables: { id: instanceId } },
    );
    const report = (more: object) =>
      queryField(operator, REPORT, { input: { instanceId, externalId: 'run 1', status: 'running', ...more } });
    const { id } = await report({ recordsRead: 10 });
    expect(await jobs.next()).toEqual({ data: { job: { id, status: 'running', recordsRead: 10 } } });
    expect(await connections.next()).toEqual({ data: { one: { lastSyncStatus: 'running', syncJobs: [{ id }] } } });
    await report({ recordsRead: 20 });
    expect(await jobs.next()).toEqual({ data: { job: { id, status: 'running', recordsRead: 20 } } });
    expect(others.results).toEqual([]);
    for (const stream of [jobs, others, connections]) stream.close();
  });
});

describe('publicationChanged', () => {
  it('sends the progress of a publication', async () => {
    const query = 'subscription ($id: Base62Id) { one: publicationChanged(tapId: $id) { status rows } }';
    const stream = await openStream(service, query, { variables: { id: table.tapId } });
    const set = (values: string) =>
      queryAsOwner(service, `update publication set ${values} where tap_id = $1`, [decodeId(table.tapId)]);
    await set(`status = 'running', rows = 5`);
    expect(await stream.next()).toEqual({ data: { one: { status: 'running', rows: 5 } } });
    await set(`status = 'succeeded', rows = 9`);
    expect(await stream.next()).toEqual({ data: { one: { status: 'succeeded', rows: 9 } } });
    stream.close();
  });
});

describe('tableQualityResultChanged', () => {
  it('sends the results of a run, with their contract and their table', async () => {
    const query = `subscription ($id: Base62Id) { one: tableQualityResultChanged(tableId: $id) {
      resultId overallStatus contract { table { id } } } }`;
    const stream = await openStream(service, query, { variables: { id: table.id } });
    const other = await openStream(service, query, { variables: { id: newId() } });
    const input = { tableId: table.id, runId: newId(), checks: [CHECK] };
    const { resultId } = await queryField(operator, RECORD, { input });
    expect(await stream.next()).toEqual({
      data: { one: { resultId, overallStatus: 'PASS', contract: { table: { id: table.id } } } },
    });
    expect(other.results).toEqual([]);
    for (const each of [stream, other]) each.close();
  });
});
