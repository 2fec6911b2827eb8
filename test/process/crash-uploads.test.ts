import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../../bench/support/seeded-random.js';
import { encodeId } from '../../src/kernel/ids.js';
import { rowsFor } from '../support/artifacts/hostile-files.js';
import { artifactPath, filesBelow, filesFolderOf } from '../support/artifacts/stored-files.js';
import { pausingText, streamUpload } from '../support/artifacts/streamed-uploads.js';
import { seed } from '../support/catalog/definition-builders.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { aKillableService } from '../support/processes/killable-service.js';
import { atScale } from '../support/soak.js';

const KILLS = atScale(1, 50);
/**
 * Numbers of uploads per kill. Running uploads can finish before the kill. Stalled uploads send only a part of the file
 * before the kill.
 */
const RUNNING = 6;
const STALLED = 2;
const MOST_BYTES = 3 * 1024 * 1024;
const HEAD_BYTES = 256 * 1024;
const MAX_PAUSE_MS = 250;

const random = seededRandom(seed);
const { service, owner, start, kill, close } = await aKillableService();

beforeAll(() => start({ JOBS: 'off' }));
afterAll(close);

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Sends the last part of the file only after `mayEnd` resolves. If the service responds, adds the content hash to
 * `answered` under the returned id.
 */
async function send(mayEnd: Promise<void>, answered: Map<string, string>): Promise<void> {
  const content = rowsFor(2 * HEAD_BYTES + random() * MOST_BYTES);
  const middle = HEAD_BYTES + Math.floor(random() * HEAD_BYTES);
  const reply = await streamUpload(owner, pausingText(content, middle, mayEnd)).catch((error: Error) => {
    if (!(error instanceof TypeError)) throw error; // `fetch` throws a TypeError for a broken connection.
  });
  if (!reply) return;
  if (reply.status !== 200) throw new Error(reply.text);
  answered.set(reply.body.data.artifact.id, sha256(content));
}

/** Returns each `ready` file by id: its path, the stored metadata, and the measured metadata. */
async function readyFiles(): Promise<Map<string, { path: string; row: unknown; file: unknown }>> {
  const rows = await queryAsOwner(service, `select * from artifact where upload_status = 'ready'`);
  const found = rows.map(async ({ id, tenant_id, file_size, sha256: hash }) => {
    const ids = { id: encodeId(id), tenantId: encodeId(tenant_id) };
    const path = artifactPath(filesFolderOf(service), ids);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    const file = { size: bytes.length, sha256: sha256(bytes) };
    return [ids.id, { path, row: { size: Number(file_size), sha256: hash }, file }] as const;
  });
  return new Map(await Promise.all(found));
}

async function cleanUpOnce(): Promise<void> {
  await queryAsOwner(service, `update artifact set uploading_until = now() where upload_status = 'pending'`);
  const due = await queryAsOwner(
    service,
    `update taproot_jobs.job set start_after = now() where name = 'artifact-cleanup' and state = 'created' returning id`,
  );
  const ids = due.map(({ id }) => id);
  await waitUntil(async () => {
    const open = `select id from taproot_jobs.job where id = any($1) and state <> 'completed'`;
    return (await queryAsOwner(service, open, [ids])).length === 0;
  });
}

it('a service that is killed while it stores files stores each file completely or not at all', async () => {
  const answered = new Map<string, string>();
  for (let nth = 0; nth < KILLS; nth++) {
    const { promise: isKilled, resolve } = Promise.withResolvers<void>();
    const before = await pendingRows();
    const stalled = Array.from({ length: STALLED }, () => send(isKilled, answered));
    await waitUntil(async () => (await pendingRows()) === before + STALLED);
    const others = Array.from({ length: RUNNING }, () => send(Promise.resolve(), answered));
    await sleep(random() * MAX_PAUSE_MS);
    await kill();
    resolve();
    await Promise.all([...stalled, ...others]);
    await start(nth === KILLS - 1 ? {} : { JOBS: 'off' });
  }

  const ready = await readyFiles();
  for (const { row, file } of ready.values()) expect(file).toEqual(row);
  for (const [id, hash] of answered) expect([seed, ready.get(id)?.file]).toMatchObject([seed, { sha256: hash }]);
  expect(await pendingRows()).toBeGreaterThanOrEqual(KILLS * STALLED);

  await cleanUpOnce();
  const paths = [...ready.values()].map(({ path }) => path);
  expect((await filesBelow(filesFolderOf(service))).sort()).toEqual(paths.sort());
  expect(await pendingRows()).toBe(0);
}, 600_000);

async function pendingRows(): Promise<number> {
  const [row] = await queryAsOwner(service, `select count(*)::int from artifact where upload_status = 'pending'`);
  return row?.count;
}
