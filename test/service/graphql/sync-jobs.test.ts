import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { queryAsOwner } from '../../support/database/owner-queries.js';
import { errorCodesOf, queryField } from '../../support/service/callers.js';
import { aConnectedWorkspace, connect, validateCredential } from '../../support/sources/connected-workspace.js';

const { service, vendor } = await aConnectedWorkspace();
const editor = service.as('editor');
const operator = service.as('operator');

const REPORT = `mutation ($input: SyncJobInput!) { recordSyncJob(input: $input) {
  id externalId status isInitial startedAt finishedAt recordsRead recordsWritten recordsRejected errorCode errorMessage qualityDegraded } }`;
const CONNECTION = `query ($id: Base62Id!) { tenantConnectorInstance(id: $id) {
  connectionStatus lastSyncAt lastSyncStatus syncJobs { id externalId status } } }`;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;
let instanceId: string;

/** Creates a connection with valid credentials, so that its status depends on its syncs. */
beforeEach(async () => {
  const instance = (await connect(editor, 'bearer', vendor.credentials.bearer)).body.data;
  await validateCredential(editor, instance);
  instanceId = instance.id;
});

const inputOf = (externalId: string, status: string, more: object) => ({
  input: { instanceId, externalId, status, ...more },
});

async function report(externalId: string, status: string, more: object = {}): Promise<Data> {
  return queryField(operator, REPORT, inputOf(externalId, status, more));
}

async function refusal(externalId: string, status: string, more: object = {}): Promise<string[]> {
  return errorCodesOf(operator, REPORT, inputOf(externalId, status, more));
}

async function connection(): Promise<Data> {
  return queryField(editor, CONNECTION, { id: instanceId });
}

async function statusOf(): Promise<string> {
  return (await connection()).connectionStatus;
}

describe('a sync job', () => {
  it('is queued, runs, and ends with its counts', async () => {
    const queued = await report('run 1', 'queued');
    expect(queued).toMatchObject({ externalId: 'run 1', status: 'queued', isInitial: true, startedAt: null });
    const running = await report('run 1', 'running', { recordsRead: 10 });
    expect(running).toMatchObject({
      id: queued.id,
      status: 'running',
      startedAt: TIME,
      finishedAt: null,
      recordsRead: 10,
    });
    const counts = { recordsRead: 120, recordsWritten: 118, recordsRejected: 2 };
    expect(await report('run 1', 'succeeded', counts)).toMatchObject({
      ...{ id: queued.id, status: 'succeeded', startedAt: running.startedAt, finishedAt: TIME, ...counts },
    });
  });

  it('can be reported for the first time after its end, with its own times', async () => {
    const times = { startedAt: '2026-01-31T12:00:00.000Z', finishedAt: '2026-01-31T12:05:00.000Z' };
    expect(await report('run 1', 'partial_success', times)).toMatchObject({ status: 'partial_success', ...times });
    expect(await connection()).toMatchObject({ lastSyncAt: times.finishedAt, lastSyncStatus: 'partial_success' });
  });

  it("stores the cause of a failure and the runner's message", async () => {
    const failure = { errorCode: 'source_error', errorMessage: 'The source broke off.', qualityDegraded: true };
    expect(await report('run 1', 'failed', failure)).toMatchObject(failure);
  });

  it('loses the failure of an earlier report when it succeeds, and stores the new message', async () => {
    await report('run 1', 'running', { errorCode: 'source_error', errorMessage: 'The source broke off.' });
    expect(await report('run 1', 'partial_success', { errorMessage: '2 of 9 files are missing.' })).toMatchObject({
      errorCode: null,
      errorMessage: '2 of 9 files are missing.',
    });
    await report('run 2', 'running', { errorCode: 'source_error', errorMessage: 'The source broke off.' });
    expect(await report('run 2', 'succeeded')).toMatchObject({ errorCode: null, errorMessage: null });
  });

  it('does not change when its end is reported again', async () => {
    const first = await report('run 1', 'succeeded', { recordsRead: 7 });
    const before = await tables();
    expect(await report('run 1', 'succeeded', { recordsRead: 9, errorMessage: 'late' })).toEqual(first);
    expect(await tables()).toEqual(before);
  });

  it('updates only its report time while it runs', async () => {
    const first = await report('run 1', 'running', { recordsRead: 7 });
    const before = await tables();
    expect(await report('run 1', 'running', { recordsRead: 7 })).toEqual(first);
    expect(timeless(await tables())).toEqual(timeless(before));
  });

  it.each([
    ['running', 'queued'],
    ['running', 'pending'],
    ['succeeded', 'running'],
    ['succeeded', 'failed'],
    ['cancelled', 'succeeded'],
  ])('cannot change from %s to %s', async (from, to) => {
    await report('run 1', from);
    const before = await tables();
    expect(await refusal('run 1', to)).toEqual(['CONFLICT']);
    expect(await tables()).toEqual(before);
  });

  it('is created once for repeated and concurrent reports', async () => {
    const reports = await Promise.all(Array.from({ length: 20 }, () => report('run 1', 'running')));
    expect(new Set(reports.map(({ id }) => id)).size).toBe(1);
    expect((await connection()).syncJobs).toEqual([{ id: reports[0].id, externalId: 'run 1', status: 'running' }]);
    const [{ n }] = (await queryAsOwner(
      service,
      `select count(*)::int as n from audit_entry where action = 'sync_job.reported' and object_id = (select id from sync_job
        where instance_id = (select id from tenant_connector_instance order by created_at desc limit 1))`,
    )) as [{ n: number }];
    expect(n).toBe(1);
  });

  it('ends once if its end is reported concurrently', async () => {
    await report('run 1', 'running');
    const ends = ['succeeded', 'failed', 'cancelled', 'partial_success'];
    const codes = await Promise.all(ends.map((status) => refusal('run 1', status)));
    expect(codes.flat()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT']);
    const { lastSyncStatus, syncJobs } = await connection();
    expect(syncJobs).toMatchObject([{ status: ends[codes.findIndex((one) => one.length === 0)] }]);
    expect(lastSyncStatus).toBe(syncJobs[0].status);
  });

  it('is initial until a job has succeeded', async () => {
    expect((await report('run 1', 'failed')).isInitial).toBe(true);
    expect((await report('run 2', 'partial_success')).isInitial).toBe(true);
    expect((await report('run 3', 'running')).isInitial).toBe(false);
  });

  it('belongs to its connection: another connection may use the same externalId', async () => {
    const first = await report('run 1', 'succeeded');
    const other = (await connect(editor, 'bearer', vendor.credentials.bearer)).body.data;
    const second = await report('run 1', 'running', { instanceId: other.id });
    expect([second.id === first.id, second.isInitial]).toEqual([false, true]);
    expect((await connection()).syncJobs).toHaveLength(1);
  });

  it('requires an existing connection', async () => {
    expect(await refusal('run 1', 'running', { instanceId: newId() })).toEqual(['NOT_FOUND']);
    await editor.delete(`/api/vendors/tenant-connector-instances/${instanceId}`);
    expect(await refusal('run 1', 'running')).toEqual(['NOT_FOUND']);
  });
});

describe('the status of the connection', () => {
  it('follows its jobs', async () => {
    const steps: [job: string, status: string, expected: string][] = [
      ['run 1', 'pending', 'sync_queued'],
      ['run 1', 'queued', 'sync_queued'],
      ['run 1', 'running', 'initial_syncing'],
      ['run 1', 'succeeded', 'idle'],
      ['run 2', 'queued', 'sync_queued'],
      ['run 2', 'running', 'update_syncing'],
      ['run 2', 'failed', 'sync_failed'],
      ['run 3', 'running', 'update_syncing'],
      ['run 3', 'partial_success', 'sync_partial_success'],
      ['run 4', 'cancelled', 'sync_partial_success'],
    ];
    const seen: string[] = [];
    for (const [job, status] of steps) {
      await report(job, status);
      const { connectionStatus, lastSyncStatus } = await connection();
      expect(lastSyncStatus).toBe(status);
      seen.push(connectionStatus);
    }
    expect(seen).toEqual(steps.map(([, , expected]) => expected));
  });

  it('reports a failed runner or quality gate', async () => {
    await report('run 1', 'failed', { errorCode: 'runner_error' });
    expect(await statusOf()).toBe('internal_error');
    await report('run 2', 'succeeded', { qualityDegraded: true });
    expect(await statusOf()).toBe('transform_quality_degraded');
  });

  it('reports a week without a successful sync, and ignores a job without a report for a day', async () => {
    const ago = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString();
    await report('run 1', 'succeeded', { startedAt: ago(9), finishedAt: ago(8) });
    expect(await statusOf()).toBe('ingestion_stale');
    await report('run 2', 'running');
    expect(await statusOf()).toBe('update_syncing');
    const silence = `update tenant_connector_instance set sync = jsonb_set(sync::jsonb, '{running,reportedAt}', to_jsonb($1::text))`;
    await queryAsOwner(service, silence, [ago(2)]);
    expect(await statusOf()).toBe('ingestion_stale');
  });

  it('follows the job that ended last, regardless of the order of the reports', async () => {
    await report('run 2', 'succeeded', { finishedAt: '2026-02-02T00:00:00.000Z' });
    await report('run 1', 'failed', { finishedAt: '2026-02-01T00:00:00.000Z' });
    expect((await connection()).lastSyncAt).toBe('2026-02-02T00:00:00.000Z');
    expect(await statusOf()).not.toBe('sync_failed');
  });
});

async function tables(): Promise<Data[]> {
  const names = ['sync_job', 'tenant_connector_instance', 'audit_entry'];
  return Promise.all(names.map((name) => queryAsOwner(service, `select * from ${name} order by id`)));
}

function timeless([jobs, instances, entries]: Data[]): Data[] {
  const without = (row: Data) => ({ ...row, updated_at: undefined });
  return [
    jobs.map(without),
    instances.map((row: Data) => ({ ...without(row), sync: { ...row.sync, running: undefined } })),
    entries,
  ];
}

describe('startSync with a scope', () => {
  const START = `mutation ($instanceId: Base62Id!, $mode: SyncMode, $range: SyncRangeInput) {
    startSync(instanceId: $instanceId, mode: $mode, range: $range) { id tapRuns { isResync rangeFrom } } }`;
  const past = '2026-01-01T00:00:00Z';
  const future = new Date(Date.now() + 3_600_000).toISOString();

  it('marks the runs of a resync', async () => {
    const { tapRuns } = await queryField(editor, START, { instanceId, mode: 'resync' });
    expect(new Set(tapRuns.map(({ isResync }: Data) => isResync))).toEqual(new Set([true]));
  });

  it.each([
    ['an end before the start', { range: { from: past, until: past } }],
    ['a start in the future', { range: { from: future } }],
    ['a range and resync', { range: { from: past }, mode: 'resync' }],
  ])('rejects %s', async (_, scope) => {
    expect(await errorCodesOf(editor, START, { instanceId, ...scope })).toEqual(['BAD_REQUEST']);
  });

  it('rejects a time range for a connection whose taps are read in full', async () => {
    expect(await errorCodesOf(editor, START, { instanceId, range: { from: past } })).toEqual(['CONFLICT']);
  });
});
