import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace, validateCredential } from '../../support/sources/connected-workspace.js';
import { readVendorRecords } from '../../support/sources/stored-credential.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { aFakeCredential, withWrongSecretValues } from '../../support/vendors/fake-credential.js';
import { SESSION_AUDIENCE } from '../../support/vendors/session-endpoints.js';
import { jsonBodyOf } from '../../support/vendors/vendor-request.js';

const connected = await aConnectedWorkspace();
const { service, vendor } = connected;
const editor = service.as('editor');

describe("a session by the customer's token", () => {
  const key = 'session-exchange';
  const method = authMethodFixture(connected, key, { tokenPath: '/sessions' });

  itFollowsCredentialLifecycle(connected, method);
  itRejectsWrongCredential(connected, method, () => withWrongSecretValues(vendor.credentials[key]));

  it('is opened with the JSON of the definition, and sent without a prefix', async () => {
    await validateCredential(editor, await method.connect());
    const { tokenName: name, tokenSecret: secret } = vendor.credentials[key].authenticationConfig;
    const call = vendor.callsTo('/sessions').at(-1);
    expect(call && jsonBodyOf(call)).toEqual({ credentials: { name, secret } });
    expect(vendor.calls.at(-1)?.headers['x-session']).toBe(vendor.tokens.texts.at(-1));
  });
});

describe('a session by a self-signed JWT', () => {
  const key = 'session-exchange-jwt';
  const method = authMethodFixture(connected, key, { tokenPath: '/sessions/jwt', kind: 'client' });

  itFollowsCredentialLifecycle(connected, method);
  itRejectsWrongCredential(connected, method, () => withWrongSecretValues(vendor.credentials[key]));

  it.each(['clientId', 'keyId', 'subject'])('is rejected with a different %s', async (field) => {
    const { authenticationConfig } = vendor.credentials[key];
    const instance = await method.connect(aFakeCredential({ ...authenticationConfig, [field]: 'nobody' }, {}));
    expect(await validateCredential(editor, instance)).toMatchObject({ status: 'invalid', errorCode: 'auth_failed' });
  });

  it('is requested with a JWT that has the audience of the definition and a key id, and is new each time', async () => {
    const instance = await method.connect();
    await validateCredential(editor, instance);
    vendor.tokens.expireAll();
    await validateCredential(editor, instance);
    const jwts = vendor
      .callsTo('/sessions/jwt')
      .slice(-2)
      .map((call) => jsonBodyOf(call).jwt);
    const { keyId } = vendor.credentials[key].authenticationConfig;
    for (const jwt of jwts) {
      expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: 'HS256', kid: keyId });
      expect(decodeJwt(jwt).aud).toBe(SESSION_AUDIENCE);
    }
    expect(new Set(jwts.map((jwt) => decodeJwt(jwt).jti)).size).toBe(2);
  });
});

describe('a session by user name and password', () => {
  const key = 'session-exchange-password';
  const tokenPath = '/sessions/password';
  // The vendor does not return the lifetime of a session, so the service renews a session only after the vendor rejects
  // it.
  const session = { count: () => vendor.callsTo(tokenPath).length, end: () => vendor.tokens.expireAll() };
  const method = authMethodFixture(connected, key, { tokenPath, kind: 'password', session });

  itFollowsCredentialLifecycle(connected, method);
  itRejectsWrongCredential(connected, method, () => withWrongSecretValues(vendor.credentials[key]));

  it("is opened with the vendor's parameter names", async () => {
    await validateCredential(editor, await method.connect());
    const { username: login, password: passphrase } = vendor.credentials[key].authenticationConfig;
    const call = vendor.callsTo(tokenPath).at(-1);
    expect(call && jsonBodyOf(call)).toEqual({ login, passphrase });
  });

  it('sends the password only to the sign-in endpoint', async () => {
    const { password = '' } = vendor.credentials[key].authenticationConfig;
    await readVendorRecords(service, await method.connect());
    const others = vendor.calls.filter(({ path }) => path !== tokenPath);
    const sent = others.map(({ headers, query, body }) => JSON.stringify([headers, `${query}`, body]));
    expect(sent.join()).not.toContain(password);
  });
});
