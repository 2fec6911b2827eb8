import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../../bench/support/seeded-random.js';
import { seed } from '../support/catalog/definition-builders.js';
import { aDatabase, CLONED_DATABASE_ENV } from '../support/database/database.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { aRestartablePostgres } from '../support/processes/restartable-postgres.js';
import { aServiceFleet, type ServiceFleet } from '../support/processes/service-fleet.js';
import { atScale, IS_SOAK } from '../support/soak.js';
import { PagedVendor, type ServedPage } from '../support/syncs/paged-vendor.js';
import { connectTo, type PulledTaps, pulledRecords } from '../support/syncs/pulled-records.js';
import { SyncObserver } from '../support/syncs/sync-observer.js';
import { aCatalogFolder } from '../support/vendors/fake-vendor-definitions.js';

/** PULL_RECORDS and PULL_KILLS scale the soak test down. */
const RECORDS = atScale(2_400, Number(process.env.PULL_RECORDS ?? 1_000_000));
const KILLS = atScale(1, Number(process.env.PULL_KILLS ?? 200));
const RESTARTS = atScale(0, 3);
const PROCESSES = atScale(1, 4);
const GROUPS = atScale(2, Math.min(300, Math.ceil(RECORDS / 200)));
/** Average. */
const BETWEEN_KILLS_MS = 8_000;
const REQUESTS_PER_SECOND = atScale(10, 20);

const random = seededRandom(seed);
const perGroup = Math.ceil(RECORDS / GROUPS / 2);
const vendor = new PagedVendor({
  ...{ groups: GROUPS, itemsPerGroup: perGroup, changesPerGroup: perGroup },
  requestsPerSecond: REQUESTS_PER_SECOND,
});

let database: { url: string; drop(): Promise<void>; restart?(): Promise<void> };
let catalog: Awaited<ReturnType<typeof aCatalogFolder>>;
let fleet: ServiceFleet;
let taps: PulledTaps;
let observer: SyncObserver;

beforeAll(async () => {
  database = IS_SOAK ? await aRestartablePostgres() : await aDatabase();
  catalog = await aCatalogFolder(await vendor.start());
  const env = { DATABASE_URL: database.url, CATALOG_DIR: catalog.folder, ...CLONED_DATABASE_ENV };
  fleet = await aServiceFleet(PROCESSES, env);
  observer = new SyncObserver(database.url);
  taps = await connectTo(fleet);
}, 300_000);

afterAll(async () => {
  await observer?.end();
  await fleet?.close();
  await Promise.all([vendor.stop(), catalog?.remove(), database?.drop()]);
}, 120_000);

interface Totals {
  syncs: number;
  kills: number;
  pages: number;
  repeated: number;
  tooLate: ServedPage[];
}

/**
 * In the soak test, runs syncs until `isOver` returns true. The vendor has more changes at each sync. Every test ends
 * with one sync of all changes.
 */
async function syncUntil(totals: Totals, isOver: () => boolean): Promise<void> {
  while (IS_SOAK && !isOver()) {
    vendor.visibleChanges = Math.floor(perGroup * (1 - 0.5 ** (totals.syncs + 1)));
    await syncOnce(totals);
  }
  vendor.visibleChanges = perGroup;
  await syncOnce(totals);
}

async function syncOnce(totals: Totals): Promise<void> {
  vendor.served.length = 0;
  observer.reset();
  const path = `/api/vendors/tenant-connector-instances/${taps.instanceId}/syncs`;
  const id: string = await fleet.call(async (client) => {
    const { status, text, body } = await client.post(path, {});
    if (status >= 300) throw new Error(text);
    return body.data.id;
  });
  await waitUntil(async () => {
    const { body } = await fleet.call((client) => client.request(`/api/syncs/${id}`));
    if (body.data?.finishedAt) expect([body.data.status, body.data.errorMessage]).toEqual(['succeeded', undefined]);
    return body.data?.finishedAt !== undefined;
  }, 7_200);
  const { served } = vendor;
  totals.syncs += 1;
  totals.pages += served.length;
  totals.repeated += served.length - new Set(served.map(({ slice, page }) => `${slice} ${page}`)).size;
  totals.tooLate.push(...observer.requestedAfterCommit(served));
}

/** In the soak test, kills processes at random times. Otherwise, kills one process after some pages. */
async function killAll(totals: Totals): Promise<void> {
  if (!IS_SOAK) await waitUntil(() => vendor.served.length > 9);
  const starting: Promise<void>[] = [];
  for (; totals.kills < KILLS; totals.kills++) {
    if (IS_SOAK) await sleep(2 * BETWEEN_KILLS_MS * random());
    await waitUntil(() => fleet.running().length > 0);
    const running = fleet.running();
    starting.push(fleet.replace(running[Math.floor(random() * running.length)] as number));
    if (!IS_SOAK) await Promise.all(starting).then(hurry);
    const every = Math.ceil(KILLS / (RESTARTS + 1));
    if (totals.kills % every === every - 1 && totals.kills < every * RESTARTS) await database.restart?.();
    if (IS_SOAK && totals.kills % 10 === 0) report(totals);
  }
  await Promise.all(starting);
}

/**
 * Ends table leases and active steps. Otherwise, other processes would wait up to a minute for the leases and steps of
 * a killed process.
 */
async function hurry(): Promise<void> {
  const service = { databaseUrl: database.url };
  await queryAsOwner(
    service,
    `update catalog_table set writer_until = now() - interval '1 s' where writer is not null`,
  );
  await queryAsOwner(
    service,
    `update taproot_jobs.job set state = 'retry', start_after = now() where name = 'sync-tap-step' and state = 'active'`,
  );
}

function report({ tooLate, ...totals }: Totals): void {
  const longestGapSeconds = Math.round(observer.longestGapMs / 1_000);
  console.log(JSON.stringify({ seed, records: RECORDS, ...totals, tooLate: tooLate.length, longestGapSeconds }));
}

it('killed workers lose and duplicate no record, and read no committed page again', async () => {
  const totals: Totals = { syncs: 0, kills: 0, pages: 0, repeated: 0, tooLate: [] };
  const killing = killAll(totals);
  await Promise.all([killing, syncUntil(totals, () => totals.kills >= KILLS)]);
  if (IS_SOAK) report(totals);
  const service = { databaseUrl: database.url, dataDir: fleet.dataDir };
  const found = await pulledRecords(service, taps, vendor);
  expect(found).toEqual({
    items: { rows: GROUPS * perGroup, lost: 0, duplicated: 0, changed: 0 },
    changes: { rows: GROUPS * perGroup, lost: 0, duplicated: 0, changed: 0 },
  });
  expect(totals.tooLate).toEqual([]);
  if (!IS_SOAK) expect(totals.repeated).toBeGreaterThan(0);
}, 7_200_000);
