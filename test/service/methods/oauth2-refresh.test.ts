import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace, validateCredential } from '../../support/sources/connected-workspace.js';
import { readVendorRecords, withStoredCredential } from '../../support/sources/stored-credential.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { aFakeCredential, withWrongSecretValues } from '../../support/vendors/fake-credential.js';

type Instance = { id: string; authenticationConfig: object };

const connected = await aConnectedWorkspace();
const { service, vendor } = connected;
const editor = service.as('editor');

/** Each credential has its own grant, because a refresh token is valid for one use. */
function credential() {
  const { clientId = '', clientSecret = '' } = vendor.credentials['oauth2-refresh'].authenticationConfig;
  return aFakeCredential({ clientId }, { clientSecret, refreshToken: vendor.tokens.issueRefreshToken() });
}

const method = authMethodFixture(connected, 'oauth2-refresh', {
  ...{ kind: 'sign_in', tokenPath: '/oauth/token', credential },
  withdraw: () => vendor.tokens.revokeAll(),
  withdrawn: 'expired',
});

/** Sends no secrets, so that the service keeps the stored secrets. */
function configure({ id: instanceId, authenticationConfig }: Instance) {
  return editor.post('/api/connectors/configure', { instanceId, authenticationConfig });
}

describe('a refresh token', () => {
  itFollowsCredentialLifecycle(connected, method);
  itRejectsWrongCredential(connected, method, () => withWrongSecretValues(credential()));

  it('that is unknown to the vendor is expired, as the definition specifies', async () => {
    const { authenticationConfig } = credential();
    const instance = await method.connect(aFakeCredential({ ...authenticationConfig, refreshToken: 'gone' }, {}));
    expect(await validateCredential(editor, instance)).toMatchObject({ status: 'expired', errorCode: 'expired' });
  });

  it('is replaced 20 times, and no token is used twice', async () => {
    const instance = await method.connect();
    for (let nth = 0; nth < 20; nth++) {
      expect(await readVendorRecords(service, instance)).toHaveLength(25);
      vendor.tokens.expireAll();
    }
    expect(await validateCredential(editor, instance)).toMatchObject({ status: 'valid' });
    const sent = vendor
      .callsTo('/oauth/token')
      .slice(-21)
      .map(({ body }) => new URLSearchParams(body).get('refresh_token'));
    expect(new Set(sent).size).toBe(21);
  });

  it('is stored after rotation before the new token is used, so that a crash loses nothing', async () => {
    const instance = await method.connect();
    const dies = withStoredCredential(
      ...([service, instance] as const),
      (call) => call({ path: '/records' }),
      (send) => (url, request) => (url.includes('/records') ? Promise.reject(new Error('killed')) : send(url, request)),
    );
    await expect(dies).rejects.toThrow('killed');
    const exchanges = vendor.callsTo('/oauth/token').length;
    expect(await readVendorRecords(service, instance)).toHaveLength(25);
    expect(vendor.callsTo('/oauth/token')).toHaveLength(exchanges);
  });

  it('stays the current token when the connection is configured without a refresh token', async () => {
    const instance = await method.connect();
    await validateCredential(editor, instance);
    const { body } = await configure(instance);
    expect(await validateCredential(editor, body.data)).toMatchObject({ status: 'valid' });
    expect(await readVendorRecords(service, body.data)).toHaveLength(25);
  });

  it('is not overwritten by a configuration that runs during a renewal', async () => {
    const instance = await method.connect();
    let configured = 0;
    vendor.behave('/oauth/token', async (_, response) => {
      configured = (await configure(instance)).status;
      response.writeHead(503).end();
    });
    await validateCredential(editor, instance);
    vendor.recover();
    expect(configured).toBe(409);
    expect((await configure(instance)).status).toBe(200);
  });
});
