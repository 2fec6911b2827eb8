import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdir, readlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seededRandom } from '../../../../bench/support/seeded-random.js';
import { PEOPLE_CSV, UPLOAD_PATH, upload } from '../../../support/artifacts/artifact-requests.js';
import { rowsFor } from '../../../support/artifacts/hostile-files.js';
import { storedArtifacts } from '../../../support/artifacts/stored-files.js';
import { seed } from '../../../support/catalog/definition-builders.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { waitUntil } from '../../../support/database/test-jobs.js';
import { multipartBody, multipartPart } from '../../../support/servers/form-server.js';
import { captureLog } from '../../../support/service/captured-log.js';
import { aService } from '../../../support/service/service.js';
import { atScale } from '../../../support/soak.js';

const ABORTS = atScale(100, 2_000);
const AT_ONCE = 20;

/** Larger than the head, which the service checks before it stores anything. */
const FILE_BYTES = 400 * 1024;
const HEAD_BYTES = 256 * 1024;

const capturedLog = captureLog();
const service = aService({}, capturedLog.log as never);
const random = seededRandom(seed);

type Region = readonly [from: number, to: number];

interface Request {
  readonly bytes: Buffer;
  readonly regions: readonly Region[];
}

function aRequest(path: string, token: string, texts: string, file: string): Request {
  const end = `${multipartBody()}`;
  const length = Buffer.byteLength(texts + file + end);
  const lines = [
    `POST ${path} HTTP/1.1`,
    ...['host: localhost', 'x-tenant: demo', `authorization: Bearer ${token}`, `content-length: ${length}`],
    ...['content-type: multipart/form-data; boundary=b', 'apollo-require-preflight: true', '', ''],
  ];
  const headers = lines.join('\r\n');
  const fileAt = headers.length + texts.length;
  const bytes = Buffer.from(headers + texts + file + end);
  const regions: Region[] = [
    [1, headers.length - 1],
    [headers.length, fileAt],
    [fileAt, fileAt + HEAD_BYTES],
    [fileAt + HEAD_BYTES, bytes.length],
    [bytes.length - end.length - 4, bytes.length - 1],
  ];
  return { bytes, regions };
}

async function requests(): Promise<Request[]> {
  const token = await service.tokenOf('editor');
  const query = 'mutation ($file: Upload!) { uploadArtifact(file: $file) { artifact { id } } }';
  const operations = multipartPart('operations', JSON.stringify({ query, variables: { file: null } }));
  const content = rowsFor(FILE_BYTES);
  return [
    aRequest(
      UPLOAD_PATH,
      token,
      multipartPart('data', '{"path":"/aborted"}'),
      multipartPart('file', content, 'people.csv'),
    ),
    aRequest(
      UPLOAD_PATH,
      token,
      '',
      multipartPart('file', content, 'people.csv') + multipartPart('data', '{"path":"/aborted"}'),
    ),
    aRequest(
      '/graphql',
      token,
      operations + multipartPart('map', '{"0":["variables.file"]}'),
      multipartPart('0', content, 'people.csv'),
    ),
  ];
}

/** Sends the start of a request, and then disconnects with FIN or RST, immediately or after up to 20 ms. */
async function abort({ bytes, regions }: Request, nth: number): Promise<void> {
  const [from, to] = regions[nth % regions.length] as Region;
  const cut = from + Math.floor(random() * (to - from));
  const [pause, isReset] = [random() * 20, random() < 0.5];
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
  await new Promise((resolve) => socket.write(bytes.subarray(0, cut), resolve));
  if (pause > 5) await sleep(pause);
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
}

/** Returns an empty list on systems without `/proc`. */
async function openFiles(): Promise<string[]> {
  const names = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(service.dataDir));
}

async function endedRequests(): Promise<number> {
  const text = await (await fetch(service.metricsUrl)).text();
  const counts = text.matchAll(/^taproot_http_request_duration_seconds_count\{method="POST".*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Each upload that created a row has enqueued a cleanup job. */
async function countCreatedRows(): Promise<number> {
  const [row] = await queryAsOwner(
    service,
    "select count(*)::int from taproot_jobs.job where name = 'artifact-cleanup'",
  );
  return row?.count;
}

let begun = 0;
const countBegun = (message: unknown): void => {
  if ((message as { request: IncomingMessage }).request.method === 'POST') begun += 1;
};

beforeEach(() => subscribe('http.server.request.start', countBegun));
afterEach(() => void unsubscribe('http.server.request.start', countBegun));

it('leaves nothing behind when clients disconnect during an upload', async () => {
  const setting = vi.spyOn(globalThis, 'setInterval');
  const clearing = vi.spyOn(globalThis, 'clearInterval');
  const kinds = await requests();
  for (let from = 0; from < ABORTS; from += AT_ONCE) {
    const burst = Array.from({ length: AT_ONCE }, (_, nth) => from + nth);
    await Promise.all(burst.map((nth) => abort(kinds[Math.floor(nth / 5) % kinds.length] as Request, nth)));
    // Limits the number of open requests, because more requests would wait too long for the database on a busy machine.
    await waitUntil(async () => begun === (await endedRequests()));
  }
  const runningTimers = (): unknown[] => {
    const cleared = new Set(clearing.mock.calls.map(([timer]) => timer));
    return setting.mock.results.map(({ value }) => value).filter((timer) => !cleared.has(timer as never));
  };
  const left = async () => ({
    ...(await storedArtifacts(service)),
    openFiles: await openFiles(),
    pending: begun - (await endedRequests()),
    timers: runningTimers().length,
  });
  const nothing = JSON.stringify({ rows: [], files: [], openFiles: [], pending: 0, timers: 0 });
  // After a timeout, the assertion below shows the difference.
  await waitUntil(async () => JSON.stringify(await left()) === nothing).catch(() => undefined);
  expect([seed, JSON.stringify(await left())]).toEqual([seed, nothing]);
  expect([begun > ABORTS / 2, (await countCreatedRows()) > 0]).toEqual([true, true]);
  expect(capturedLog.lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  expect((await upload(service.as('editor'), { content: PEOPLE_CSV })).status).toBe(200);
});
