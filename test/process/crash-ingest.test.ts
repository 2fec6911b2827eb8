import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { waitUntil } from '../support/database/test-jobs.js';
import {
  anInboundTap,
  type InboundTap,
  pushRecords,
  senderDefinitions,
  storedRecords,
} from '../support/ingest/pushed-taps.js';
import { aKillableService, type KillableService, postmasterOf } from '../support/processes/killable-service.js';
import { atScale, IS_SOAK } from '../support/soak.js';
import { aCatalogFolder } from '../support/vendors/fake-vendor-definitions.js';

const KILLS = atScale(1, 5);
const CLIENTS = atScale(8, 32);
/** Total of all clients. */
const BATCHES_PER_SECOND = atScale(50, 500);
const BETWEEN_KILLS_MS = atScale(1_500, 10_000);

let running: KillableService;
let catalog: Awaited<ReturnType<typeof aCatalogFolder>>;

beforeAll(async () => {
  catalog = await aCatalogFolder(senderDefinitions());
  const env = { CATALOG_DIR: catalog.folder, SHIPPED_CATALOG: 'off', INGEST_FLUSH_SECONDS: '1' };
  running = await aKillableService({ env, isEmbedded: true });
  await running.start();
}, 120_000);

afterAll(async () => {
  await running.close();
  await catalog.remove();
}, 60_000);

async function killDatabase(): Promise<void> {
  process.kill((await postmasterOf(running.service.dataDir)).pid, 'SIGKILL');
  await sleep(50);
  await running.kill();
}

interface Sent {
  readonly acknowledged: Set<number>;
  /**
   * Records of requests without a response, and of requests with the status 503. No client repeated these requests. The
   * service may have stored these records.
   */
  readonly unanswered: Set<number>;
}

/**
 * Sends batches at a steady rate until `isOver` returns true. Without a response, or after the status 503, half of the
 * clients repeat the push until the service accepts it.
 */
async function sendAll({ token }: InboundTap, sent: Sent, isOver: () => boolean): Promise<void> {
  let last = 0;
  const insist = async (ids: readonly number[], nth: number): Promise<void> => {
    const batch = ids.map((id) => ({ id, name: `record ${id}` }));
    for (;;) {
      const reply = await pushRecords(running.owner, token, batch).catch(() => undefined);
      if (reply?.status === 202) for (const id of ids) sent.acknowledged.add(id);
      else if (reply && reply.status !== 503) throw new Error(reply.text);
      else if (nth % 2 === 0) for (const id of ids) sent.unanswered.add(id);
      if (reply?.status === 202 || nth % 2 === 0) return;
      await sleep(20);
    }
  };
  const clients = Array.from({ length: CLIENTS }, async (_, nth) => {
    const size = 1 + (nth % 3);
    for (let at = performance.now(); !isOver(); at += (CLIENTS / BATCHES_PER_SECOND) * 1_000) {
      await insist(
        Array.from({ length: size }, () => (last += 1)),
        nth,
      );
      await sleep(Math.max(0, at - performance.now()));
    }
  });
  await Promise.all(clients);
}

async function keepComing({ acknowledged }: Sent, isOver: () => boolean): Promise<void> {
  const before = acknowledged.size;
  await sleep(BETWEEN_KILLS_MS);
  await waitUntil(() => acknowledged.size > before + CLIENTS || isOver(), 120);
}

/** If a batch waits, a flush job must exist, even after a kill. */
async function expectNothingForgotten(): Promise<void> {
  const [row] = await queryAsOwner(
    running.service,
    `select (select count(*) from ingest_batch)::int as waiting,
       (select count(*) from taproot_jobs.job where name = 'land-batches' and state in ('created', 'retry', 'active'))::int as jobs`,
  );
  expect(row?.waiting === 0 || row?.jobs > 0).toBe(true);
}

/** Other processes would otherwise wait a minute for the leases and jobs of killed processes. */
async function hurry(): Promise<void> {
  await queryAsOwner(
    running.service,
    `update catalog_table set writer_until = now() - interval '1 second' where writer is not null`,
  );
  await queryAsOwner(
    running.service,
    `update taproot_jobs.job set start_after = now() where name = 'land-batches' and state in ('created', 'retry')`,
  );
  await queryAsOwner(
    running.service,
    `update taproot_jobs.job set state = 'retry', start_after = now() where name = 'land-batches' and state = 'active'`,
  );
}

it.each([
  ['the service', () => running.kill()],
  ['PostgreSQL', killDatabase],
])(
  'every acknowledged record is in the table exactly once if %s is killed',
  async (_, kill) => {
    const tap = await anInboundTap(running.owner, 'open');
    const sent: Sent = { acknowledged: new Set(), unanswered: new Set() };
    let isOver = false;
    const sending = sendAll(tap, sent, () => isOver);
    sending.catch(() => (isOver = true));
    for (let nth = 0; nth < KILLS && !isOver; nth++) {
      await keepComing(sent, () => isOver);
      await kill();
      await running.start();
      await expectNothingForgotten();
      if (!IS_SOAK) await hurry();
    }
    await keepComing(sent, () => isOver);
    isOver = true;
    await sending;
    if (!IS_SOAK) await hurry();
    await waitUntil(
      async () => (await queryAsOwner(running.service, 'select from ingest_batch limit 1')).length === 0,
      180,
    );

    const loaded = (await storedRecords(running.service, tap.tapId)).map(({ id }) => Number(id));
    const ids = new Set(loaded);
    expect(loaded.length).toBe(ids.size);
    expect([...sent.acknowledged].filter((id) => !ids.has(id))).toEqual([]);
    expect(loaded.filter((id) => !sent.acknowledged.has(id) && !sent.unanswered.has(id))).toEqual([]);
    expect(sent.acknowledged.size).toBeGreaterThan(KILLS * CLIENTS);
  },
  600_000,
);
