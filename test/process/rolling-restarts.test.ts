import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseIngestToken } from '../../src/ingest/ingest-token-text.js';
import { aDatabase, CLONED_DATABASE_ENV, type TestDatabase } from '../support/database/database.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { mintToken, revokeToken, rotateToken } from '../support/ingest/ingest-tokens.js';
import {
  anInboundTap,
  type InboundTap,
  pushRecords,
  senderDefinitions,
  storedRecords,
} from '../support/ingest/pushed-taps.js';
import { aFreePort, aNodeBalancer, anHaproxy, type Balancer, HAS_HAPROXY } from '../support/processes/load-balancer.js';
import { addressOf, aProcess, type TestProcess } from '../support/processes/test-process.js';
import { clientFor } from '../support/service/callers.js';
import type { Client, Reply } from '../support/service/service.js';
import { atScale, IS_SOAK } from '../support/soak.js';
import { aCatalogFolder } from '../support/vendors/fake-vendor-definitions.js';

const RESTARTS = atScale(2, 200);
const WRITERS = atScale(2, 4);
const READERS = atScale(2, 4);
const REQUESTS_BETWEEN_RESTARTS = atScale(20, 50);
/** Longer without the soak test, because the balancer then runs in the process of the tests. */
const SHUTDOWN_DELAY_SECONDS = atScale(3, 1);
/** Milliseconds between two requests of a client. */
const PAUSE = atScale(100, 10);

let database: TestDatabase;
let dataDir: string;
let catalog: Awaited<ReturnType<typeof aCatalogFolder>>;
let ports: number[];
let processes: TestProcess[];
let balancer: Balancer;

beforeEach(async () => {
  catalog = await aCatalogFolder(senderDefinitions());
  database = await aDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'taproot-rolling-'));
  ports = [await aFreePort(), await aFreePort()];
  processes = [];
  for (const nth of [0, 1]) await start(nth);
  balancer = await (IS_SOAK && HAS_HAPROXY ? anHaproxy : aNodeBalancer)(ports);
  for (const port of ports) await waitUntil(() => balancer.uses(port));
});

afterEach(async () => {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map((one) => one.ends()));
  await balancer.close();
  await Promise.all([catalog.remove(), database.drop(), rm(dataDir, { recursive: true })]);
});

async function start(nth: number): Promise<void> {
  const service = aProcess({
    ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, CATALOG_DIR: catalog.folder, PORT: String(ports[nth]) },
    ...{
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      INGEST_GRACE_SECONDS: '0',
      INGEST_FLUSH_SECONDS: '5',
      ...CLONED_DATABASE_ENV,
    },
    SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY_SECONDS),
  });
  processes[nth] = service;
  await addressOf(service);
}

async function restart(nth: number): Promise<void> {
  const { child, ends } = processes[nth] as TestProcess;
  child.kill('SIGTERM');
  expect(await ends()).toBe(0);
  await start(nth);
  await waitUntil(() => balancer.uses(ports[nth] as number));
}

interface Course {
  isOver: boolean;
  answered: number;
  /** Failed requests, each with its response or error. */
  readonly lost: string[];
  readonly tokens: string[];
  /** Number of acknowledged records by tap. */
  readonly pushed: Map<string, number>;
}

/** If the request fails, adds it to `lost` and returns undefined. */
async function succeeded(course: Course, what: string, request: Promise<Reply>): Promise<Reply | undefined> {
  const reply = await request.catch((error: Error) => error);
  await sleep(PAUSE);
  if (reply instanceof Error || reply.status > 299) {
    course.lost.push(`${what}: ${reply instanceof Error ? reply.cause : `${reply.status} ${reply.text}`}`);
    return undefined;
  }
  course.answered += 1;
  return reply;
}

async function write(owner: Client, { tapId }: InboundTap, course: Course): Promise<void> {
  const use = async (minted: Reply | undefined): Promise<string | undefined> => {
    if (!minted) return undefined;
    const { token, ingestToken } = minted.body.data;
    course.tokens.push(token);
    if (await succeeded(course, 'push', pushRecords(owner, token, { id: course.tokens.length })))
      course.pushed.set(tapId, (course.pushed.get(tapId) ?? 0) + 1);
    return ingestToken.id;
  };
  while (!course.isOver) {
    const first = await use(await succeeded(course, 'mint', mintToken(owner, tapId)));
    const second = first && (await use(await succeeded(course, 'rotate', rotateToken(owner, first))));
    if (second) await succeeded(course, 'revoke', revokeToken(owner, second));
  }
}

async function read(owner: Client, course: Course): Promise<void> {
  while (!course.isOver) {
    await succeeded(course, 'public', owner.request('/api/vendors/platform-vendors?limit=5'));
    await succeeded(course, 'own', owner.request('/api/users/me'));
    await succeeded(course, 'query', owner.graphql('{ me { id roles { name } } }'));
  }
}

it('rolling restarts of two processes behind a proxy lose no request, no token and no record', async () => {
  const service = { url: balancer.url, databaseUrl: database.url, dataDir };
  const owner = clientFor(service, 'owner@demo.test');
  const taps: InboundTap[] = [];
  for (let nth = 0; nth < WRITERS; nth++) taps.push(await anInboundTap(owner, 'open'));
  const course: Course = {
    isOver: false,
    answered: 0,
    lost: [],
    tokens: taps.map(({ token }) => token),
    pushed: new Map(),
  };
  const clients = Promise.all([
    ...taps.map((tap) => write(owner, tap, course)),
    ...Array.from({ length: READERS }, () => read(owner, course)),
  ]);
  clients.catch(() => (course.isOver = true));
  for (let nth = 0; nth < RESTARTS && course.lost.length === 0 && !course.isOver; nth++) {
    const before = course.answered;
    await waitUntil(() => course.answered > before + REQUESTS_BETWEEN_RESTARTS || course.lost.length > 0, 120);
    await restart(nth % 2);
  }
  course.isOver = true;
  await clients;
  expect(course.lost).toEqual([]);

  const kept = await queryAsOwner(service, 'select hash from ingest_token');
  expect(kept.map(({ hash }) => hash).sort()).toEqual(course.tokens.map((token) => parseIngestToken(token)).sort());
  await waitUntil(async () => (await queryAsOwner(service, 'select from ingest_batch limit 1')).length === 0, 120);
  for (const { tapId } of taps) expect((await storedRecords(service, tapId)).length).toBe(course.pushed.get(tapId));
  for (const { child } of processes) child.kill('SIGTERM');
  expect(await Promise.all(processes.map((one) => one.ends()))).toEqual([0, 0]);
  expect(await queryAsOwner(service, "select name from taproot_jobs.job where state = 'active'")).toEqual([]);
  if (IS_SOAK) console.log(`${RESTARTS} restarts, ${course.answered} requests, ${course.tokens.length} tokens, 0 lost`);
}, 3_600_000);
