import { describe, expect, it } from 'vitest';
import { decodeId } from '../../../../src/kernel/ids.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { waitUntil } from '../../../support/database/test-jobs.js';
import { openStream } from '../../../support/service/live-stream.js';
import { freshMetrics } from '../../../support/service/metrics.js';
import { aConnectedWorkspace, connect } from '../../../support/sources/connected-workspace.js';
import { RECORDS } from '../../../support/vendors/fake-vendor-server.js';
import { replyWith } from '../../../support/vendors/vendor-responses.js';

const { service, vendor } = await aConnectedWorkspace({ JOBS: 'on', INITIAL_SYNC: 'on' });
const editor = service.as('editor');

const HOUR_MINUTES = 60;
const COMMENTS = RECORDS.reduce((sum, { comments }) => sum + comments, 0);

async function aConnection(): Promise<string> {
  return (await connect(editor, 'bearer', vendor.credentials.bearer)).body.data.id;
}
const pathOf = (id: string, rest: string) => `/api/vendors/tenant-connector-instances/${id}/${rest}`;
const put = (path: string, body: object) =>
  editor.request(path, {
    ...{ method: 'PUT', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify(body),
  });
const syncMetrics = () => freshMetrics(service, 'taproot_sync_');
const syncsOf = async (id: string) => (await editor.request(pathOf(id, 'syncs'))).body.data.items;
const syncOf = async (id: string) => (await editor.request(`/api/syncs/${id}`)).body.data;

async function endedSync(id: string) {
  await waitUntil(async () => (await syncsOf(id))[0]?.finishedAt !== undefined);
  return syncOf((await syncsOf(id))[0].id);
}

async function aSyncedConnection(): Promise<string> {
  const id = await aConnection();
  await endedSync(id);
  return id;
}

let shared: Promise<string> | undefined;

/** Tests that change nothing share this connection. Its first sync has ended. */
function aReadConnection(): Promise<string> {
  shared ??= aSyncedConnection();
  return shared;
}

describe('the first sync of a connection', () => {
  it('starts when its credentials are valid, and loads the taps into tables', async () => {
    const id = await aConnection();
    expect(await endedSync(id)).toMatchObject({
      ...{ trigger: 'initial', status: 'succeeded', isInitial: true, recordsRead: RECORDS.length + COMMENTS },
      tapRuns: expect.arrayContaining([
        expect.objectContaining({ status: 'succeeded', recordsWritten: RECORDS.length }),
      ]),
    });
    const { body } = await editor.request(`/api/vendors/tenant-connector-instances/${id}`);
    expect(body.data).toMatchObject({ connectionStatus: 'idle' });
  });

  it('gives the connection the default schedule', async () => {
    const id = await aReadConnection();
    const { body } = await editor.request(pathOf(id, 'schedule'));
    expect(body.data).toMatchObject({ kind: 'interval', intervalMinutes: 6 * HOUR_MINUTES, timezone: 'UTC' });
    const minutes = (Date.parse(body.data.nextRunAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(-1);
    expect(minutes).toBeLessThanOrEqual(6 * HOUR_MINUTES);
  });
});

describe('POST /api/vendors/tenant-connector-instances/{id}/syncs', () => {
  it('reads all enabled taps again, and replaces the rows', async () => {
    const id = await aSyncedConnection();
    const { status, body } = await editor.post(pathOf(id, 'syncs'), {});
    expect([status, body.data]).toMatchObject([202, { trigger: 'manual', isInitial: false }]);
    await waitUntil(async () => (await syncOf(body.data.id)).status === 'succeeded');
    expect(await syncsOf(id)).toHaveLength(2);
    const { tapRuns } = await syncOf(body.data.id);
    expect(tapRuns.map(({ mode, recordsWritten }: Record<string, unknown>) => [mode, recordsWritten]).sort()).toEqual([
      ['replace', COMMENTS],
      ['replace', RECORDS.length],
    ]);
  });

  it('returns the open sync if there is one', async () => {
    const id = await aSyncedConnection();
    const started = await Promise.all(Array.from({ length: 5 }, () => editor.post(pathOf(id, 'syncs'), {})));
    const ids = new Set(started.map(({ body }) => body.data.id));
    expect(ids.size).toBeLessThanOrEqual(2); // The first of these syncs may have ended before the last request.
    for (const sync of ids) await waitUntil(async () => (await syncOf(sync)).finishedAt !== undefined);
  });

  it('starts one sync for requests with the same Idempotency-Key, even after it has ended', async () => {
    const id = await aSyncedConnection();
    const headers = { 'idempotency-key': `start-${id}` };
    const first = await editor.post(pathOf(id, 'syncs'), {}, headers);
    await waitUntil(async () => (await syncOf(first.body.data.id)).finishedAt !== undefined);
    const second = await editor.post(pathOf(id, 'syncs'), {}, headers);
    expect([second.status, second.body.data]).toEqual([202, first.body.data]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await syncsOf(id)).toHaveLength(2);
  });

  it('sends the changes of the sync and the status of its connection to subscribers', async () => {
    const id = await aSyncedConnection();
    const variables = { id };
    const jobs = await openStream(
      service,
      'subscription ($id: Base62Id) { job: syncJobChanged(instanceId: $id) { id status recordsRead tapRuns { status recordsRead } } }',
      { variables, role: 'editor' },
    );
    const connections = await openStream(
      service,
      'subscription ($id: Base62Id) { one: tenantConnectorInstanceChanged(id: $id) { connectionStatus } }',
      { variables },
    );
    const started = (await editor.post(pathOf(id, 'syncs'), {})).body.data;
    const seen = [await jobs.next()];
    while (seen.at(-1).data.job.status !== 'succeeded') seen.push(await jobs.next());
    expect(new Set(seen.map(({ data }) => data.job.id))).toEqual(new Set([started.id]));
    expect(seen.at(-1).data.job).toMatchObject({
      recordsRead: RECORDS.length + COMMENTS,
      tapRuns: [{ status: 'succeeded' }, { status: 'succeeded' }],
    });
    const statuses = [(await connections.next()).data.one.connectionStatus];
    while (statuses.at(-1) !== 'idle') statuses.push((await connections.next()).data.one.connectionStatus);
    expect(statuses).toEqual(expect.arrayContaining([expect.stringMatching(/^(sync_queued|update_syncing)$/)]));
    for (const stream of [jobs, connections]) stream.close();
  });

  it('says who must act after a failure, and the next step', async () => {
    const id = await aSyncedConnection();
    vendor.behave('/bearer/records', replyWith(404, { error: 'no such endpoint' }));
    const started = (await editor.post(pathOf(id, 'syncs'), {})).body.data;
    await waitUntil(async () => (await syncOf(started.id)).finishedAt !== undefined);
    vendor.recover('/bearer/records');
    const failure = {
      ...{ status: 'failed', errorClass: 'configuration', responsible: 'customer' },
      nextStep: expect.stringMatching(/Correct the settings .* Then start a sync\.$/),
    };
    expect(await syncOf(started.id)).toMatchObject({ ...failure, tapRuns: [failure, failure] });
    const fields = 'status errorClass responsible nextStep';
    const { body } = await editor.graphql(`{ sync(id: "${started.id}") { ${fields} tapRuns { ${fields} } } }`);
    expect(body.data.sync).toEqual({ ...failure, tapRuns: [failure, failure] });
  });

  it('returns 404 for an unknown tap, and 409 for a connection of an external runner', async () => {
    const id = await aSyncedConnection();
    expect((await editor.post(pathOf(id, 'syncs'), { tapIds: [id] })).status).toBe(404);
    await put(pathOf(id, 'schedule'), { kind: 'external' });
    expect((await editor.post(pathOf(id, 'syncs'), {})).status).toBe(409);
  });
});

describe('GET /api/vendors/tenant-connector-instances/{id}/syncs', () => {
  it('filters by status and time', async () => {
    const id = await aReadConnection();
    const [{ createdAt }] = await syncsOf(id);
    const after = new Date(Date.parse(createdAt) + 1).toISOString();
    const countOf = async (query: string) =>
      (await editor.request(pathOf(id, `syncs?${query}`))).body.data.items.length;
    expect(await countOf('status=succeeded')).toBe(1);
    expect(await countOf('status=failed')).toBe(0);
    expect(await countOf(`createdFrom=${createdAt}&createdUntil=${after}`)).toBe(1);
    expect(await countOf(`createdFrom=${after}`)).toBe(0);
    expect(await countOf(`createdUntil=${createdAt}`)).toBe(0);
    expect((await editor.request(pathOf(id, 'syncs?status=over'))).status).toBe(400);
  });
});

describe('GET /api/syncs/{id}/timeline', () => {
  it('returns the steps and requests of each tap, without secrets', async () => {
    const sync = await endedSync(await aReadConnection());
    const { status, body, text } = await editor.request(`/api/syncs/${sync.id}/timeline`);
    expect(status).toBe(200);
    const records = body.data.find(({ tap }: { tap: { name: string } }) => tap.name === 'records');
    expect(records.timeline.steps).toMatchObject([
      { outcome: 'completed', recordsRead: RECORDS.length, recordsWritten: RECORDS.length, requests: 3 },
    ]);
    expect(records.timeline.requests).toHaveLength(3);
    expect(records.timeline.requests[0]).toMatchObject({ method: 'GET', status: 200, attempt: 1 });
    expect(text).not.toContain(String(vendor.credentials.bearer.authenticationConfig.token));
  });

  it('returns 404 for an unknown sync', async () => {
    expect((await editor.request('/api/syncs/2of1XTweukVock53fRzcyj/timeline')).status).toBe(404);
  });
});

describe('GET /metrics', () => {
  it('counts runs, requests, retries, records and bytes, and shows the queue of steps', async () => {
    const id = await aSyncedConnection();
    const [before, slug] = [await syncMetrics(), await vendorOf(id)];
    vendor.behave('/bearer/records', replyWith(503, {}), { times: 1 });
    const { id: sync } = (await editor.post(pathOf(id, 'syncs'), {})).body.data;
    await waitUntil(async () => (await syncOf(sync)).finishedAt !== undefined);
    await waitUntil(async () => (await syncMetrics()).get('taproot_sync_steps{state="running"}') === 0);
    const after = await syncMetrics();
    const added = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    const records = RECORDS.length + COMMENTS;
    expect({
      runs: added('taproot_sync_tap_runs_total{status="succeeded",error_class="none"}'),
      steps: added(`taproot_sync_steps_total{vendor="${slug}",outcome="completed"}`),
      failed: added(`taproot_sync_requests_total{vendor="${slug}",status="503"}`),
      retries: added(`taproot_sync_retries_total{vendor="${slug}"}`),
      records: added('taproot_sync_records_total{mode="replace"}'),
    }).toEqual({ runs: 2, steps: 2, failed: 1, retries: 1, records });
    expect(added('taproot_sync_bytes_total{mode="replace"}')).toBeGreaterThan(records);
    expect(after.get('taproot_sync_slices_waiting')).toBe(0);
    expect(after.get('taproot_sync_steps_due_seconds')).toBeGreaterThanOrEqual(0);
  });

  async function vendorOf(id: string): Promise<string> {
    const query = 'query ($id: Base62Id!) { tenantConnectorInstance(id: $id) { connector { vendor { slug } } } }';
    return (await editor.graphql(query, { id })).body.data.tenantConnectorInstance.connector.vendor.slug;
  }
});

describe('POST /api/syncs/{id}/cancel', () => {
  it('has no effect on a sync that has ended', async () => {
    const { id, status } = await endedSync(await aReadConnection());
    const cancelled = await editor.post(`/api/syncs/${id}/cancel`, {});
    expect([cancelled.status, cancelled.body.data.status]).toEqual([200, status]);
  });

  it('returns 404 for an unknown sync', async () => {
    expect((await editor.post('/api/syncs/2of1XTweukVock53fRzcyj/cancel', {})).status).toBe(404);
    expect((await editor.request('/api/syncs/2of1XTweukVock53fRzcyj')).status).toBe(404);
  });
});

describe('PUT /api/vendors/tenant-connector-instances/{id}/schedule', () => {
  it('replaces the schedule and returns the next start', async () => {
    const id = await aSyncedConnection();
    const cron = { kind: 'cron', cron: '0 6 * * 1-5', timezone: 'Europe/Berlin' };
    const { status, body } = await put(pathOf(id, 'schedule'), cron);
    expect([status, body.data]).toMatchObject([200, cron]);
    expect(Date.parse(body.data.nextRunAt)).toBeGreaterThan(Date.now());
    const manual = (await put(pathOf(id, 'schedule'), { kind: 'manual' })).body.data;
    expect(manual).toMatchObject({ kind: 'manual', timezone: 'UTC' });
    expect([manual.cron, manual.nextRunAt]).toEqual([undefined, undefined]);
  });

  /** Makes the schedule of the connection due, and waits until the service has set the next start. */
  async function fallDue(id: string): Promise<void> {
    await queryAsOwner(service, 'update sync_schedule set next_run_at = now() where instance_id = $1', [decodeId(id)]);
    const due = `update taproot_jobs.job set start_after = now() where name = 'due-sync' and state = 'created'`;
    await queryAsOwner(service, due);
    const nextRunAt = async () => (await editor.request(pathOf(id, 'schedule'))).body.data.nextRunAt;
    await waitUntil(async () => Date.parse(await nextRunAt()) > Date.now());
  }

  it('starts a sync when it is due, and schedules the next sync', async () => {
    const id = await aSyncedConnection();
    await fallDue(id);
    expect((await syncsOf(id)).map(({ trigger }: { trigger: string }) => trigger)).toEqual(['schedule', 'initial']);
    await endedSync(id);
  });

  it('starts no sync of a paused connection, but keeps its schedule', async () => {
    const id = await aSyncedConnection();
    await editor.patch(`/api/vendors/tenant-connector-instances/${id}`, { schedulePaused: true });
    await fallDue(id);
    expect(await syncsOf(id)).toHaveLength(1);
  });

  it.each([
    [{ kind: 'cron' }, 'kind cron requires cron.'],
    [{ kind: 'cron', cron: '* * * * *' }, 'cron must not start syncs less than 5 minutes apart.'],
    [{ kind: 'cron', cron: '0 0 31 2 *' }, 'cron is not a valid cron expression, or matches no time in the future.'],
    [{ kind: 'cron', cron: '@daily' }, 'cron must have 5 fields: minute, hour, day of month, month, day of week.'],
    [{ kind: 'interval', cron: '0 6 * * *' }, 'cron requires kind cron, not interval.'],
    [
      { kind: 'interval', timezone: 'Mars/Olympus' },
      'timezone must be a name of the IANA time zone database, such as Europe/Berlin.',
    ],
    [{ kind: 'interval', quietFrom: '22:00' }, 'quietFrom and quietUntil must be set together.'],
    [{ kind: 'interval', intervalMinutes: 1 }, 'intervalMinutes must be 5 or more.'],
    [{ kind: 'interval', quietFrom: '25:00', quietUntil: '06:00' }, 'quietFrom'],
  ])('rejects %j', async (schedule, message) => {
    const { status, body } = await put(pathOf(await aReadConnection(), 'schedule'), schedule);
    expect([status, body.error]).toEqual([400, expect.stringContaining(message)]);
  });
});
