import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CHANGE_CHANNEL, parseChange } from '../../src/kernel/changes/change.js';
import { ChangeFeed } from '../../src/kernel/changes/change-feed.js';
import { type ChangeSubscription, MAX_PENDING_CHANGES } from '../../src/kernel/changes/change-subscription.js';
import { decodeId, newId } from '../../src/kernel/ids.js';
import { aDatabase, type TestDatabase } from '../support/database/database.js';
import { runtimeUrlOf } from '../support/database/runtime-role.js';
import { waitUntil } from '../support/database/test-jobs.js';

let database: TestDatabase;
let url: string;
/** Acts as another process. */
let writer: pg.Client;
const feeds: ChangeFeed[] = [];
const never = new AbortController().signal;

beforeAll(async () => {
  database = await aDatabase();
  url = await runtimeUrlOf(database);
  writer = new pg.Client({ connectionString: url });
  await writer.connect();
});

afterEach(() => Promise.all(feeds.splice(0).map((feed) => feed.close())));

afterAll(async () => {
  await writer.end();
  await database.drop();
});

function aFeed(databaseUrl = url, reports: unknown[] = []): ChangeFeed {
  const feed = new ChangeFeed({ databaseUrl, report: (error) => reports.push(error) });
  feeds.push(feed);
  return feed;
}

async function announce(entity: string, tenantId: string, id: string): Promise<void> {
  const payload = [entity, decodeId(tenantId), decodeId(id)].join(' ');
  await writer.query('select pg_notify($1, $2)', [CHANGE_CHANNEL, payload]);
}

async function idsOf(subscription: ChangeSubscription): Promise<string[]> {
  await subscription.wait(60_000, never);
  const ids: string[] = [];
  for (let change = subscription.take(); change; change = subscription.take()) ids.push(change.id);
  return ids;
}

/** Ends the database session of the feed, as a failover does. */
async function killListener(): Promise<void> {
  const killed = await writer.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
  );
  expect(killed.rowCount).toBeGreaterThan(0);
}

describe('a change feed', () => {
  it('delivers only changes of the entity in the workspace', async () => {
    const [tenantId, other, id] = [newId(), newId(), newId()];
    const subscription = await aFeed().subscribe(tenantId, 'SyncJob');
    await announce('SyncJob', other, newId());
    await announce('Publication', tenantId, newId());
    await announce('SyncJob', tenantId, id);
    expect(await idsOf(subscription)).toEqual([id]);
  });

  it('delivers a change to every process, and repeated changes of an object once', async () => {
    const [tenantId, first, last] = [newId(), newId(), newId()];
    const both = await Promise.all([aFeed(), aFeed()].map((feed) => feed.subscribe(tenantId, 'SyncJob')));
    for (const id of [first, first, first, last]) await announce('SyncJob', tenantId, id);
    for (const subscription of both) {
      const seen: string[] = [];
      while (!seen.includes(last)) seen.push(...(await idsOf(subscription)));
      expect(new Set(seen)).toEqual(new Set([first, last]));
    }
  });

  it('ignores payloads that are not announcements', async () => {
    const [tenantId, id] = [newId(), newId()];
    const subscription = await aFeed().subscribe(tenantId, 'SyncJob');
    for (const payload of ['', 'SyncJob', `SyncJob ${decodeId(tenantId)}`, `SyncJob ${decodeId(tenantId)} x`])
      await writer.query('select pg_notify($1, $2)', [CHANGE_CHANNEL, payload]);
    await announce('SyncJob', tenantId, id);
    expect(await idsOf(subscription)).toEqual([id]);
  });

  it('fails all subscriptions when the session is lost, and serves new subscriptions after it has reconnected', async () => {
    const [tenantId, id] = [newId(), newId()];
    const feed = aFeed();
    const before = await feed.subscribe(tenantId, 'SyncJob');
    await killListener();
    await before.wait(60_000, never);
    expect(() => before.take()).toThrow('Some changes may be missing');
    const after = await feed.subscribe(tenantId, 'SyncJob');
    await announce('SyncJob', tenantId, id);
    expect(await idsOf(after)).toEqual([id]);
  });

  it('fails a subscription whose client does not take its changes', async () => {
    const tenantId = newId();
    const feed = aFeed();
    const [slow, quick] = [await feed.subscribe(tenantId, 'SyncJob'), await feed.subscribe(tenantId, 'SyncJob')];
    const text = `select pg_notify($1, 'SyncJob ' || $2 || ' ' || gen_random_uuid()) from generate_series(1, $3::int)`;
    let taken = 0;
    const half = Math.ceil(MAX_PENDING_CHANGES / 2) + 1;
    for (let round = 0; round < 2; round++) {
      await writer.query(text, [CHANGE_CHANNEL, decodeId(tenantId), half]);
      await waitUntil(async () => (taken += (await idsOf(quick)).length) >= (round + 1) * half);
    }
    expect(() => slow.take()).toThrow('reads too slowly');
  });

  it('fails subscriptions when it closes', async () => {
    const feed = aFeed();
    const subscription = await feed.subscribe(newId(), 'SyncJob');
    await feed.close();
    expect(() => subscription.take()).toThrow('The service is stopping');
    await expect(feed.subscribe(newId(), 'SyncJob')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('reports UNAVAILABLE and the cause while PostgreSQL cannot be reached', async () => {
    const reports: unknown[] = [];
    const feed = aFeed('postgresql://nobody:nothing@127.0.0.1:1/none', reports);
    await expect(feed.subscribe(newId(), 'SyncJob')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 });
    expect(reports[0]).toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('the triggers', () => {
  it('exist on the tables of these objects, and send only ids', async () => {
    const { rows } = await writer.query(
      `select relname as name, pg_get_functiondef(tgfoid) as text from pg_trigger join pg_class c on c.oid = tgrelid
       where tgname = 'announce_change' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      ...['credential_metadata', 'credential_validation', 'publication', 'sync_job', 'table_quality_result'],
      ...['tenant_connector_instance', 'tenant_connector_tap'],
    ]);
    const columns = rows.flatMap(({ text }) => [...text.matchAll(/new\.(\w+)/g)].map(([, column]) => column));
    expect([...new Set(columns)].sort()).toEqual(
      ['contract_id', 'credential_id', 'id', 'instance_id', 'tap_id', 'tenant_id'].sort(),
    );
  });
});

describe('parseChange', () => {
  it('reads the ids of an announcement', () => {
    const [tenantId, id, parentId] = [newId(), newId(), newId()];
    const payload = ['SyncJob', ...[tenantId, id, parentId].map(decodeId)].join(' ');
    expect(parseChange(payload)).toEqual({ entity: 'SyncJob', tenantId, id, parentId });
  });
});
