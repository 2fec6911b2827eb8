import { describe, expect, it } from 'vitest';
import { countInconsistencies } from '../../../support/database/connection-consistency.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { waitUntil } from '../../../support/database/test-jobs.js';
import type { Client, Reply } from '../../../support/service/service.js';
import { atScale } from '../../../support/soak.js';
import { aConnectedWorkspace, connect, offerOf } from '../../../support/sources/connected-workspace.js';

const { service, vendor, provider } = await aConnectedWorkspace({ JOBS: 'on' });
const editor = service.as('editor');
const { bearer } = vendor.credentials;
const ROUNDS = atScale(8, 50);
const SIGN_INS = atScale(5, 10);

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Instance = any;

const ACTIONS = {
  configure: (client: Client, { id: instanceId }: Instance) =>
    client.post('/api/connectors/configure', { instanceId, authenticationConfig: bearer.authenticationConfig }),
  validate: (client: Client, { credentialMetadataId }: Instance) =>
    client.post('/api/connectors/validate', { credentialMetadataId }),
  delete: (client: Client, { id }: Instance) => client.delete(`/api/vendors/tenant-connector-instances/${id}`),
};

/** Each request must succeed, or fail with 404 or 409 because it lost a race. */
function expectPlainAnswers(replies: Reply[]): void {
  expect(replies.map(({ status }) => status).filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
}

describe('concurrent configure, validate and delete requests', () => {
  it.each([
    ['', ['configure', 'validate', 'configure', 'validate', 'configure']],
    [' after the last delete', ['configure', 'validate', 'delete', 'validate', 'configure', 'delete']],
  ] as const)(
    `leave one current credential or none${'%s'}`,
    async (_, actions) => {
      for (let round = 0; round < ROUNDS; round++) {
        const instance = (await connect(editor, 'bearer', bearer)).body.data;
        const replies = await Promise.all(actions.map((action) => ACTIONS[action](editor, instance)));
        expectPlainAnswers(replies);
        const won = replies.filter(({ status }, at) => status === 200 && actions[at] === 'delete').length;
        expect(won).toBe(actions.includes('delete' as never) ? 1 : 0);
      }
      expect(await faultsAtRest()).toEqual({});
    },
    600_000,
  );

  it('leave one current credential despite a concurrent sign-in', async () => {
    const { authenticationConfig } = provider.credentials.client_secret_basic;
    for (let round = 0; round < SIGN_INS; round++) {
      const instance = (await connect(editor, 'oauth2-auth-code-pkce', provider.credentials.client_secret_basic)).body
        .data;
      const start = () => editor.post('/api/connectors/connector-oauth-start', { instanceId: instance.id });
      const { authorizeUrl, state } = (await start()).body.data;
      await provider.allowRedirect(new URL(authorizeUrl).searchParams.get('redirect_uri') as string);
      const { searchParams } = await provider.authorize(authorizeUrl);
      const complete = () =>
        editor.post('/api/connectors/connector-oauth-complete', { state, code: searchParams.get('code') as string });
      const configure = () =>
        editor.post('/api/connectors/configure', { instanceId: instance.id, authenticationConfig });
      const replies = await Promise.all([
        complete(),
        complete(),
        configure(),
        start(),
        ACTIONS.validate(editor, instance),
      ]);
      const statuses = replies.map(({ status }) => status);
      expect(statuses.filter((status) => ![200, 400, 409].includes(status))).toEqual([]);
      expect(statuses.slice(0, 2)).not.toEqual([200, 200]);
    }
    expect(await faultsAtRest()).toEqual({});
  });
});

describe('30 concurrent create requests', () => {
  it.each([
    ['', {}],
    [' with an Idempotency-Key each', { 'idempotency-key': 'key' }],
  ])('all succeed%s', async (_, headers) => {
    const body = { ...(await offerOf(editor, 'bearer')), authenticationConfig: bearer.authenticationConfig };
    const attempts = Array.from({ length: 30 }, (_, at) => {
      const own = Object.entries(headers).map(([name, value]) => [name, `${value}-${at}`]);
      return editor.post('/api/connectors', body, Object.fromEntries(own));
    });
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 200));
  });
});

const BUSY = "select from taproot_jobs.job where state < 'completed' and start_after <= now()";

async function faultsAtRest(): Promise<Record<string, number>> {
  await waitUntil(async () => (await queryAsOwner(service, BUSY)).length === 0);
  return countInconsistencies(service);
}
