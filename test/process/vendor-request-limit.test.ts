import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLONED_DATABASE_ENV } from '../support/database/database.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { aPendingConnection, startSignIn } from '../support/identity/oauth-sign-in.js';
import { addressOf, aProcess } from '../support/processes/test-process.js';
import { aClient, type Client, type Reply } from '../support/service/service.js';
import { createTestWorkspace } from '../support/service/test-workspace.js';
import { aConnectedWorkspace, connect } from '../support/sources/connected-workspace.js';

const LIMIT = 30;
const { service, provider, vendor } = await aConnectedWorkspace({ RATE_LIMITS: 'on' });
const editor = service.as('editor');
const other = service.as('editor', { slug: 'other' });

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
let signIn: any, bearer: any;
let second: ReturnType<typeof aProcess>;
beforeAll(async () => {
  await createTestWorkspace(service, 'other');
  signIn = await aPendingConnection(editor, provider, 'client_secret_post');
  bearer = (await connect(editor, 'bearer', vendor.credentials.bearer)).body.data;
});
afterAll(async () => {
  second?.child.kill('SIGTERM');
  await second?.ends();
});

const validate = (client: Client): Promise<Reply> =>
  client.post('/api/connectors/validate', { credentialMetadataId: bearer.credentialMetadataId });
const refill = () => queryAsOwner(service, 'delete from token_bucket');

async function answered(send: (at: number) => Promise<Reply>): Promise<Reply[]> {
  const replies = await Promise.all(Array.from({ length: LIMIT + 10 }, (_, at) => send(at)));
  for (const refused of replies.filter(({ status }) => status !== 200)) {
    const wait = refused.headers.get('retry-after');
    expect([refused.status, refused.body.error]).toEqual([
      429,
      `TOO_MANY_REQUESTS: The limit is ${LIMIT} requests per minute to validateCredentials, connectorOauthStart, tryTap and discoverObjects together. Try again in ${wait} s.`,
    ]);
    expect(Number(wait)).toBeGreaterThan(0);
    expect(Number(wait)).toBeLessThanOrEqual(60);
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      refused.headers.get(`ratelimit-${name}`),
    );
    expect([limit, remaining]).toEqual([String(LIMIT), '0']);
    expect(Number(reset)).toBeGreaterThanOrEqual(Number(wait));
    expect(Number(reset)).toBeLessThanOrEqual(60);
  }
  return replies.filter(({ status }) => status === 200);
}

/** The bucket regains one token every two seconds, so a few more requests may succeed on a slow machine. */
function expectLimit(replies: Reply[], since: number): void {
  expect(replies.length).toBeGreaterThanOrEqual(LIMIT);
  expect(replies.length).toBeLessThanOrEqual(LIMIT + Math.ceil((performance.now() - since) / 2_000));
}

describe('tests and sign-ins of a workspace', () => {
  it('share 30 a minute', async () => {
    await refill();
    const since = performance.now();
    expectLimit(await answered((at) => (at % 2 ? validate(editor) : startSignIn(editor, signIn))), since);
  });

  it('do not count for another workspace', async () => {
    const own = await aPendingConnection(other, provider, 'client_secret_post');
    expect((await startSignIn(other, own)).status).toBe(200);
  });

  it('do not count if the caller lacks the permission', async () => {
    await refill();
    for (let at = 0; at < LIMIT + 5; at++) expect((await startSignIn(service.as('viewer'), signIn)).status).toBe(403);
    expect((await startSignIn(editor, signIn)).status).toBe(200);
  });

  it('count across two processes', async () => {
    const env = {
      DATABASE_URL: service.databaseUrl,
      DATA_DIR: service.dataDir,
      JOBS: 'off',
      EGRESS_ALLOW: '127.0.0.0/8',
      ...CLONED_DATABASE_ENV,
    };
    second = aProcess(env);
    const url = await addressOf(second);
    const there = aClient({ url }, async () => ({
      authorization: `Bearer ${await service.tokenOf('editor')}`,
      'x-tenant': 'demo',
    }));
    await refill();
    const since = performance.now();
    const replies = await answered((at) => startSignIn(at % 2 ? editor : there, signIn));
    expectLimit(replies, since);
  });
});
