import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeId } from '../../src/kernel/ids.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { loginTo } from '../support/database/runtime-role.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { aProcess, type TestProcess } from '../support/processes/test-process.js';
import { aConnectedWorkspace, connect, validateCredential } from '../support/sources/connected-workspace.js';
import { neverReply } from '../support/vendors/vendor-responses.js';

const { service, vendor } = await aConnectedWorkspace();
const editor = service.as('editor');
const TOKEN = '/oauth/token';

const SESSION_LIFETIME_SECONDS = 4;

/** Seconds until the lease of a dead process ends. */
const SHORT_LEASE = 3;

const processes: TestProcess[] = [];
let credential: { tenantId: string; credentialMetadataId: string };

beforeEach(async () => {
  vendor.tokens.seconds = 3_600;
  vendor.slowness = 0;
  const { authenticationConfig } = vendor.credentials['oauth2-refresh'];
  const own = { ...authenticationConfig, refreshToken: vendor.tokens.issueRefreshToken() };
  const { credentialMetadataId } = (await connect(editor, 'oauth2-refresh', { authenticationConfig: own, secrets: [] }))
    .body.data;
  const [row] = await queryAsOwner(service, "select id from workspace where slug = 'demo'");
  credential = { tenantId: encodeId(row?.id), credentialMetadataId };
});

afterAll(async () => {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map((one) => one.ends()));
});

/** Makes the vendor reject the current session. The refresh token is still valid, for one use. */
async function anExpiredSession(): Promise<void> {
  expect(await validateCredential(editor, credential)).toMatchObject({ status: 'valid' });
  vendor.tokens.expireAll();
  vendor.calls.length = 0;
}

async function aUser(lease?: number): Promise<TestProcess> {
  const env = {
    DATABASE_URL: loginTo(service).url,
    DATA_DIR: service.dataDir,
    ...(lease && { LEASE: `${lease}` }),
  };
  const user = aProcess(env, 'test/support/processes/credential-session-worker.js');
  processes.push(user);
  await user.prints(/ready/);
  return user;
}

const twoUsers = (lease?: number): Promise<TestProcess[]> => Promise.all([aUser(lease), aUser(lease)]);

let pair: Promise<TestProcess[]> | undefined;

/** Returns the two processes that the tests without kills share. */
function sharedUsers(): Promise<TestProcess[]> {
  pair ??= twoUsers();
  return pair;
}

function begin({ child }: TestProcess, times: number): void {
  child.stdin?.write(`${credential.tenantId} ${credential.credentialMetadataId} ${times}\n`);
}

async function use(users: TestProcess[], times = 50): Promise<Record<string, number>[]> {
  const before = users.map((user) => user.output().split('used').length);
  for (const user of users) begin(user, times);
  await waitUntil(() => users.every((user, at) => user.output().split('used').length > (before[at] as number)));
  return users.map((user) => JSON.parse(user.output().trim().split('used ').at(-1) as string));
}

const exchanges = (): number => vendor.callsTo(TOKEN).length;

describe('a single-use refresh token, used by two processes with 100 concurrent requests', () => {
  it('is sent to the source once if the source rejects the session, and the new session works', async () => {
    await anExpiredSession();
    const users = await sharedUsers();
    expect([await use(users), exchanges()]).toEqual([[{ 200: 50 }, { 200: 50 }], 1]);
    vendor.tokens.expireAll();
    expect([await use(users), exchanges()]).toEqual([[{ 200: 50 }, { 200: 50 }], 2]);
  });

  it('is sent once if the session has expired', async () => {
    vendor.tokens.seconds = SESSION_LIFETIME_SECONDS;
    await anExpiredSession();
    vendor.tokens.seconds = 3_600;
    const over = sleep(SESSION_LIFETIME_SECONDS * 1_000);
    const users = await sharedUsers();
    await over;
    expect([await use(users), exchanges()]).toEqual([[{ 200: 50 }, { 200: 50 }], 1]);
  });

  it('is sent once if the source responds slowly', async () => {
    await anExpiredSession();
    const users = await sharedUsers();
    vendor.slowness = 2_000;
    expect([await use(users), exchanges()]).toEqual([[{ 200: 50 }, { 200: 50 }], 1]);
  });

  it('is taken over from a process that is killed before it calls the source', async () => {
    await anExpiredSession();
    const [first, second] = (await twoUsers(SHORT_LEASE)) as [TestProcess, TestProcess];
    vendor.behave(TOKEN, neverReply(), { times: 1 });
    begin(first, 50);
    await waitUntil(() => exchanges() === 1);
    const outcome = use([second]);
    await sleep(500);
    first.child.kill('SIGKILL');
    expect([await outcome, exchanges()]).toEqual([[{ 200: 50 }], 2]);
  });

  it('is sent a few times if the grant has ended, and all requests fail in the same way', async () => {
    await anExpiredSession();
    const users = await sharedUsers();
    vendor.tokens.revokeAll();
    expect(await use(users)).toEqual([{ invalid_grant: 50 }, { invalid_grant: 50 }]);
    expect(exchanges()).toBeLessThan(20);
  });
});

it('a test that times out does not abort the refresh that it started', async () => {
  await anExpiredSession();
  // The vendor rejects the old token after 3 seconds. The credential test times out after 5 seconds, and the new token
  // arrives after 6 seconds.
  vendor.slowness = 3_000;
  expect(await validateCredential(editor, credential)).toMatchObject({ status: 'inconclusive' });
  vendor.slowness = 0;
  expect(await validateCredential(editor, credential)).toMatchObject({ status: 'valid' });
  expect(exchanges()).toBe(1);
});
