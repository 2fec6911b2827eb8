import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { pgDump } from '../support/database/pg-dump.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { aHostileProvider } from '../support/identity/hostile-provider.js';
import { exerciseEndpoints, senderConnectors } from '../support/ingest/exercise-endpoints.js';
import { findLeaks, leakFinder } from '../support/secrets/find-leaks.js';
import { sendMisplacedSecrets } from '../support/secrets/planted-secrets.js';
import { captureLog } from '../support/service/captured-log.js';
import { aClient } from '../support/service/service.js';
import { aConnectedWorkspace } from '../support/sources/connected-workspace.js';
import {
  type ExercisedSecrets,
  exerciseConnections,
  terminateDatabaseConnections,
} from '../support/sources/exercise-connections.js';

const captured = captureLog();
const hostile = await aHostileProvider();
afterAll(hostile.close);
const connected = await aConnectedWorkspace(
  { JOBS: 'on', INGEST_FLUSH_SECONDS: '1' },
  { log: captured.log, hostileIssuer: hostile.issuer, more: senderConnectors },
);
const { service } = connected;

const TYPED_INTO_A_NAME = 'a secret entered as a name';
let used: ExercisedSecrets;
let tokens: string[];

beforeAll(async () => {
  await logEveryStatement();
  const [editor, owner] = [captured.client(service.as('editor')), captured.client(service.as('owner'))];
  used = await exerciseConnections({ ...connected, hostile, editor });
  const sender = captured.client(aClient(service, async () => ({})));
  const doors = await exerciseEndpoints({ service, editor, sender });
  for (const secret of doors.secret) used.secret.add(secret);
  for (const token of doors.tokens) used.shownOnce.add(token);
  tokens = doors.tokens;
  for (const secret of await sendMisplacedSecrets(owner)) used.secret.add(secret);
  used.secret.add(new URL(service.databaseUrl).password);
  await owner.post('/api/connector-requests/connector-requests', { connectorName: TYPED_INTO_A_NAME });
  await waitUntil(async () => (await queryAsOwner(service, DUE)).length === 0);
}, 600_000);

/** Makes PostgreSQL log all statements with their bound values. */
async function logEveryStatement(): Promise<void> {
  const name = new URL(service.databaseUrl).pathname.slice(1);
  await queryAsOwner(service, `alter database ${name} set log_statement = 'all'`);
  await terminateDatabaseConnections(service);
}

const DUE =
  "select from taproot_jobs.job where state < 'completed' and (start_after <= now() or name = 'land-batches')";

async function databaseLog(): Promise<string> {
  const [row] = await queryAsOwner(service, 'show data_directory');
  return readFile(join(dirname(row?.data_directory), 'postgres.log'), 'utf8');
}

async function files(): Promise<string> {
  const names = (await readdir(service.dataDir, { recursive: true })).filter((name) => name !== 'keys/sealing-keys');
  const texts = names.map(async (name) => {
    const path = join(service.dataDir, name);
    return (await stat(path)).isFile() ? `${name}: ${await readFile(path, 'latin1')}` : '';
  });
  return (await Promise.all(texts)).join('\n');
}

const PLACES = {
  'the database': () => pgDump(service.databaseUrl),
  'the log of the database server': databaseLog,
  'the log': () => captured.lines.join(''),
  'the files': files,
  'the replies': () => captured.replies.join('\n'),
};

it('the test used all methods, and all kinds of endpoints rejected secrets', async () => {
  const types = await queryAsOwner(
    service,
    `select distinct type from sealed_credential
     join credential_metadata as credential on credential.id = credential_id
     join connector_auth_strategy as strategy on strategy.id = strategy_id`,
  );
  expect([types.length, used.secret.size > 300]).toEqual([13, true]);
});

it.each(Object.entries(PLACES))('%s contains no secret', async (place, read) => {
  const text = await read();
  const unwanted = [...used.secret, ...(place === 'the replies' ? [] : used.shownOnce)];
  const around = (offset: number): string => text.slice(Math.max(0, offset - 300), offset + 100);
  expect(findLeaks(text, unwanted).map(({ spelling, offset }) => [spelling, around(offset)])).toEqual([]);
});

it('an ingest token appears only in the response that creates it', () => {
  const find = leakFinder(tokens);
  const leaks = captured.replies.map((reply) => new Set(find(reply).map(({ secret }) => secret)));
  const replies = tokens.map((token) => captured.replies.filter((_, nth) => leaks[nth]?.has(token)));
  expect(replies.map(({ length }) => length)).toEqual(tokens.map(() => 1));
  expect([tokens.length, new Set(replies.flat()).size]).toEqual([12, 12]);
});

it('logs of failed and of other ingest requests contain no token', async () => {
  const lines = captured.lines.filter((line) => /"path":"\/ingest\/:token"/.test(line));
  expect(lines.length).toBeGreaterThan(50);
  const failed = captured.lines.filter((line) => line.includes('request failed'));
  expect(failed.some((line) => lines.some((other) => JSON.parse(other).requestId === JSON.parse(line).requestId))).toBe(
    true,
  );
});

it('the test accepted and rejected senders of all kinds with a secret', async () => {
  const statuses = captured.replies.map((reply) => reply.slice(0, 3));
  expect(statuses.filter((status) => status === '202').length).toBeGreaterThan(15);
  const types = await queryAsOwner(
    service,
    `select distinct verification_type from sealed_credential
     join credential_metadata as credential on credential.id = credential_id
     join inbound_auth_strategy as strategy on strategy.id = credential.inbound_auth_strategy_id`,
  );
  expect(types).toHaveLength(6);
});

it('a secret entered as a name is found in all places with names, which proves that the searches work', async () => {
  for (const place of ['the database', 'the log of the database server', 'the replies'] as const)
    expect([place, findLeaks(await PLACES[place](), [TYPED_INTO_A_NAME])]).not.toEqual([place, []]);
  const paths = ['/api/connectors/configure', '/oauth/callback/demo/'];
  for (const path of paths) expect(PLACES['the log']()).toContain(path);
  expect(await files()).toContain('keys/');
});
