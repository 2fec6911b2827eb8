import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../../../examples/fake-vendor/faults.js';
import { TenantConnectorStatus } from '../../../../src/instances/tenant-connector-status.js';
import { decodeId } from '../../../../src/kernel/ids.js';
import { PROJECT_ROOT } from '../../../../src/kernel/project-root.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { waitUntil } from '../../../support/database/test-jobs.js';
import { aService, type Client } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';
import { aFakeShop } from '../../../support/vendors/fake-shop.js';

const shop = await aFakeShop();
const { faults, data, requests } = shop.vendor;
const service = aService({ ...shop.env, JOBS: 'all', INITIAL_SYNC: 'on' });
const owner = service.as('owner');
const mover = service.as('owner', { slug: 'movers' });
beforeAll(() => createTestWorkspace(service, 'movers'));

afterEach(() => faults.switchOff());
afterAll(() => shop.close());

/** Shorter than the timeout of the connector. */
const HELD: Fault = { delayMs: 25_000 };

// biome-ignore lint/suspicious/noExplicitAny: responses of any shape
type Data = any;

const pathOf = (id: string): string => `/api/vendors/tenant-connector-instances/${id}`;

async function connect(apiKey = 'demo-key', client: Client = owner): Promise<Data> {
  const { body } = await client.request('/api/vendors/platform-vendor-groupings/fake-shop');
  const [{ id: groupingId, connectorId, supportedAuthStrategies }] = body.data;
  const strategy = { authenticationStrategyId: supportedAuthStrategies[0].id, authenticationConfig: { apiKey } };
  return (await client.post('/api/connectors', { groupingId, connectorId, ...strategy })).body.data;
}

async function read(id: string, client: Client = owner): Promise<Data> {
  return (await client.request(pathOf(id))).body.data;
}

async function syncsOf(id: string): Promise<Data[]> {
  return (await owner.request(`${pathOf(id)}/syncs`)).body.data.items;
}

async function waitForSync(id: string): Promise<void> {
  await waitUntil(async () => (await syncsOf(id))[0]?.finishedAt !== undefined);
}

async function startSync(id: string): Promise<void> {
  await owner.post(`${pathOf(id)}/syncs`, {});
}

async function syncAgain(id: string): Promise<undefined> {
  await startSync(id);
  await waitForSync(id);
}

async function patch(path: string, body: object): Promise<undefined> {
  const { status, text } = await owner.patch(path, body);
  expect([status, text]).toEqual([200, text]);
}

async function enableTaps(id: string, enabled: boolean): Promise<undefined> {
  const { body } = await owner.request(`/api/tenant-connector-taps?instanceId=${id}`);
  for (const tap of body.data.items ?? body.data) await patch(`/api/tenant-connector-taps/${tap.id}`, { enabled });
}

/** `$1` is the connection. */
async function change(sql: string, id: string, ...more: string[]): Promise<undefined> {
  await queryAsOwner(service, sql, [decodeId(id), ...more]);
}

const TABLE_OF = `(
  select c.id from catalog_table c join tenant_connector_tap t on t.id = c.tap_id where t.instance_id = $1 and t.name = $2)`;

const SET_SUCCEEDED_AT = `update tenant_connector_instance set sync = sync::jsonb || jsonb_build_object('succeededAt',`;

let known: Promise<string> | undefined;

/** Most tests share this connection. Its first sync has ended, and its status is `idle`. */
function syncedConnection(): Promise<string> {
  known ??= connect().then(async ({ id }) => {
    await waitForSync(id);
    return id;
  });
  return known;
}

interface Route {
  readonly how: string;
  /** Brings the connection `synced`, or a new connection, into the status. Returns the id only of a new connection. */
  reach(synced: string): Promise<string | undefined>;
  /** Sets the status of the synced connection back to `idle`. */
  undo?(synced: string): Promise<unknown>;
}

const ROUTES: Readonly<Record<TenantConnectorStatus, readonly Route[]>> = {
  internal_error: [
    {
      how: 'the credential test ends with an internal error',
      reach: () => connectDuring({ path: '/v1/me', status: 418 }),
    },
  ],
  disabled: [
    {
      how: 'disabled by a user',
      reach: (id) => patch(pathOf(id), { enabled: false }),
      undo: (id) => patch(pathOf(id), { enabled: true }),
    },
    { how: 'all taps disabled', reach: (id) => enableTaps(id, false), undo: (id) => enableTaps(id, true) },
  ],
  config_invalid: [
    { how: 'the credential test finds no account', reach: () => connectDuring({ path: '/v1/me', status: 404 }) },
  ],
  credential_error: [
    { how: 'the vendor rejects the key in the credential test', reach: async () => (await connect('wrong')).id },
    {
      how: 'the vendor rejects the key in a sync',
      reach: () => connectDuring({ path: '/v1/orders', status: 401 }),
    },
    {
      how: 'the key has expired (time set in the database)',
      reach: (id) => change('update credential_metadata set expires_at = now() where instance_id = $1', id),
      undo: (id) => change('update credential_metadata set expires_at = null where instance_id = $1', id),
    },
  ],
  manual_validation_required: [{ how: 'the base URL of the connector changed', reach: connectAndMove }],
  validation_pending: [
    { how: 'the credential test is running', reach: () => connectDuring({ path: '/v1/me', ...HELD }) },
  ],
  schedule_paused: [
    {
      how: 'paused by a user',
      reach: (id) => patch(pathOf(id), { schedulePaused: true }),
      undo: (id) => patch(pathOf(id), { schedulePaused: false }),
    },
  ],
  initial_syncing: [
    { how: 'the first sync is running', reach: () => connectDuring({ path: '/v1/customers', ...HELD }) },
  ],
  update_syncing: [
    {
      how: 'a later sync is running',
      async reach(id) {
        faults.switchOn({ path: '/v1/orders', ...HELD });
        await startSync(id);
        return undefined;
      },
      async undo(id) {
        faults.switchOff();
        await waitForSync(id);
      },
    },
  ],
  sync_queued: [{ how: 'other syncs of the workspace occupy all workers', reach: connectBehindOthers }],
  sync_failed: [
    {
      how: 'the vendor rejects all requests for records',
      reach: () => connectDuring({ path: '/v1/customers', status: 400 }, { path: '/v1/orders', status: 400 }),
    },
  ],
  sync_partial_success: [
    {
      how: 'the vendor rejects the requests of one tap',
      reach: () => connectDuring({ path: '/v1/orders', status: 400 }),
    },
  ],
  transform_quality_degraded: [
    {
      how: 'a table fails a check of GATE_2 in a sync',
      async reach(id) {
        await change(
          `update table_contract set rules = '[{"type":"null_rate","column":"email"}]' where scope = 'tap' and table_id = ${TABLE_OF}`,
          id,
          'customers',
        );
        return syncAgain(id);
      },
      async undo(id) {
        await change(
          `update table_contract set rules = '[]' where scope = 'tap' and table_id = ${TABLE_OF}`,
          id,
          'customers',
        );
        await syncAgain(id);
      },
    },
  ],
  ingestion_stale: [
    {
      how: 'no success for 7 days (time set in the database)',
      reach: (id) => change(`${SET_SUCCEEDED_AT} now() - interval '8 days') where id = $1`, id),
      undo: (id) => change(`${SET_SUCCEEDED_AT} now()) where id = $1`, id),
    },
  ],
  idle: [
    { how: 'all taps were read', reach: async () => undefined },
    { how: 'the key may not read one of the taps, which is skipped', reach: connectWithLimitedKey },
  ],
};

async function connectDuring(...active: Fault[]): Promise<string> {
  for (const fault of active) faults.switchOn(fault);
  return (await connect()).id;
}

/**
 * Creates a connection whose taps must wait. The service reads at most four taps of a workspace at the same time, and a
 * slow vendor delays four taps of other connections.
 */
async function connectBehindOthers(): Promise<string> {
  const before = requests.length;
  for (const path of ['/v1/customers', '/v1/orders']) faults.switchOn({ path, ...HELD });
  await Promise.all([connect(), connect()]);
  await waitUntil(() => requests.slice(before).filter((path) => !path.startsWith('/v1/me')).length === 4);
  return (await connect()).id;
}

async function connectWithLimitedKey(): Promise<string> {
  const { id } = await connect('limited-key');
  await waitForSync(id);
  return id;
}

/** Uses another workspace, because a base URL applies to all connections of the connector in a workspace. */
async function connectAndMove(): Promise<string> {
  const { id, connector } = await connect('demo-key', mover);
  await mover.request(`/api/connectors/${connector.id}/base-url`, {
    ...{ method: 'PUT', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ baseUrl: 'http://127.0.0.1:4999' }),
  });
  return id;
}

async function isListed(id: string, connectionStatus: string[], client: Client): Promise<boolean> {
  const query = `query ($filter: TenantConnectorInstanceFilter) {
    tenantConnectorInstances(limit: 250, filter: $filter) { items { id } total } }`;
  const { items, total } = (await client.graphql(query, { filter: { connectionStatus } })).body.data
    .tenantConnectorInstances;
  expect(total).toBe(items.length);
  return items.some((item: Data) => item.id === id);
}

describe('connectionStatus', () => {
  const rows = Object.entries(ROUTES).flatMap(([status, routes]) => routes.map((route) => ({ status, ...route })));

  it.each(rows)('is $status: $how', async ({ status, reach, undo }) => {
    const synced = await syncedConnection();
    const id = (await reach(synced)) ?? synced;
    const client = status === 'manual_validation_required' ? mover : owner;
    await expect.poll(async () => (await read(id, client)).connectionStatus, { timeout: 60_000 }).toBe(status);
    const others = Object.keys(TenantConnectorStatus).filter((other) => other !== status);
    expect([await isListed(id, [status], client), await isListed(id, others, client)]).toEqual([true, false]);
    await undo?.(synced);
  });

  it('has a row in connections.md for each status', () => {
    const page = readFileSync(join(PROJECT_ROOT, 'docs/connections.md'), 'utf8');
    const [, section = ''] = /^## Connection status\n([\s\S]*?)^## /m.exec(page) ?? [];
    const listed = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => cell?.match(/\w+/g) ?? []);
    expect(listed.toSorted()).toEqual(Object.keys(TenantConnectorStatus).toSorted());
  });
});

describe('a sync', () => {
  it('sets lastSyncStatus and lastSyncAt of the connection', async () => {
    const id = await syncedConnection();
    await syncAgain(id);
    const [first] = await syncsOf(id);
    expect(await read(id)).toMatchObject({ lastSyncStatus: 'succeeded', lastSyncAt: first.finishedAt });
    faults.switchOn({ path: '/v1/orders', status: 400 });
    await syncAgain(id);
    const [second] = await syncsOf(id);
    expect(await read(id)).toMatchObject({ lastSyncStatus: 'partial_success', lastSyncAt: second.finishedAt });
  });

  it('adds points to the charts of a table, even if the vendor has no new records', async () => {
    const { id } = await connect();
    await waitForSync(id);
    await expect.poll(() => pointsOf(id, 'TABLE_FRESHNESS_SECONDS'), { timeout: 60_000 }).toHaveLength(1);
    await syncAgain(id);
    await expect.poll(() => pointsOf(id, 'TABLE_FRESHNESS_SECONDS'), { timeout: 60_000 }).toHaveLength(2);
    expect(await pointsOf(id, 'TABLE_ROW_COUNT')).toEqual([data.ordersSince('2026-01-01').length, 0]);
  });

  /** Oldest first. */
  async function pointsOf(id: string, kind: string): Promise<number[]> {
    const sql = `select r.series from table_spc_result r join table_contract k on k.id = r.contract_id where k.table_id = ${TABLE_OF} order by r.captured_at`;
    const results = await queryAsOwner(service, sql, [decodeId(id), 'orders']);
    const all = results.flatMap(({ series }) => series) as { seriesKind: string; latestValue: number }[];
    return all.filter(({ seriesKind }) => seriesKind === kind).map(({ latestValue }) => latestValue);
  }
});
