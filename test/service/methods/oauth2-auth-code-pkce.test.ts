import { describe, expect, it } from 'vitest';
import { CLIENT_AUTH_METHODS, type ClientAuthMethod } from '../../support/identity/oauth-provider.js';
import type { Reply } from '../../support/service/service.js';
import {
  aConnectedWorkspace,
  connect,
  getInstance,
  validateCredential,
} from '../../support/sources/connected-workspace.js';
import type { AuthMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle } from '../../support/vendors/credential-lifecycle.js';
import { aFakeCredential, type FakeCredential, withWrongSecretValues } from '../../support/vendors/fake-credential.js';
import { codeStrategyKey } from '../../support/vendors/vendor-strategies.js';

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;

const connected = await aConnectedWorkspace();
const { service, provider } = connected;
const editor = service.as('editor');
const key = 'oauth2-auth-code-pkce';

describe.each(CLIENT_AUTH_METHODS)('a sign-in with the vendor and client authentication %s', (way) => {
  const method = signInBy(way);
  itFollowsCredentialLifecycle(connected, method);

  it('requires a sign-in before use', async () => {
    const instance = await connectBy(way);
    expect(await getInstance(editor, instance)).toMatchObject({
      ...{ connectionStatus: 'manual_validation_required', hasValidCredentials: false },
      connectionStatusMessage: expect.stringMatching(/completed\. Sign in with the vendor/),
    });
    expect(await validateCredential(editor, instance)).toMatchObject({
      ...{ status: 'manual_validation_required', success: false },
      details: { remediation: expect.stringMatching(/^Sign in with the vendor/) },
    });
  });

  it('rotates its refresh token with each renewal, and uses each token once', async () => {
    const instance = await method.connect();
    for (let nth = 0; nth < 5; nth++) {
      provider.expireAccessTokens();
      expect(await validateCredential(editor, instance)).toMatchObject({ status: 'valid' });
    }
    expect(provider.exchanges.slice(-5)).toEqual(
      Array.from({ length: 5 }, () => expect.not.objectContaining({ error: expect.anything() })),
    );
  });
});

it.each(CLIENT_AUTH_METHODS.filter((way) => way !== 'none'))(
  'a client with %s and a wrong secret receives no tokens',
  async (way) => {
    const instance = await connectBy(way, withWrongSecretValues(provider.credentials[way]));
    const { status, headers } = await signIn(instance);
    expect([status, headers.get('x-error-code')]).toEqual([400, 'OAUTH_REFUSED']);
    expect(await getInstance(editor, instance)).toMatchObject({ hasValidCredentials: false });
  },
);

it('an unknown public client is rejected by the sign-in page of the vendor', async () => {
  const instance = await connectBy('none', aFakeCredential({ clientId: 'loopback:nobody' }, {}));
  await expect(signIn(instance)).rejects.toThrow('400');
  expect(await getInstance(editor, instance)).toMatchObject({ hasValidCredentials: false });
});

function signInBy(way: ClientAuthMethod): AuthMethodFixture {
  const connectAndSignIn = async (): Promise<Data> => completed(await signIn(await connectBy(way)));
  return {
    ...{ key, identity: 'ada@vendor.test', kind: 'sign_in', withdrawn: 'expired' },
    session: {
      count: () => provider.exchanges.length,
      end: () => provider.expireAccessTokens(),
      setSeconds: (seconds) => provider.setAccessTokenSeconds(seconds),
    },
    connect: connectAndSignIn,
    withdraw: () => provider.revokeGrants(),
    renew: async (instance) => completed(await signIn(instance)),
  };
}

async function connectBy(way: ClientAuthMethod, credential: FakeCredential = provider.credentials[way]) {
  return (await connect(editor, key, credential, { strategyKey: codeStrategyKey(way) })).body.data;
}

async function signIn({ id: instanceId }: Data): Promise<Reply> {
  const { body } = await editor.post('/api/connectors/connector-oauth-start', { instanceId });
  const { authorizeUrl } = body.data;
  await provider.allowRedirect(new URL(authorizeUrl).searchParams.get('redirect_uri') as string);
  const { state, code, ...params } = Object.fromEntries((await provider.authorize(authorizeUrl)).searchParams);
  return editor.post('/api/connectors/connector-oauth-complete', { state, code, params });
}

function completed({ status, body }: Reply): Data {
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data.instance;
}
