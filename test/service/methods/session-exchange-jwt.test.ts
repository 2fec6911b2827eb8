import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace, validateCredential } from '../../support/sources/connected-workspace.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { aFakeCredential, withWrongSecretValues } from '../../support/vendors/fake-credential.js';
import { SESSION_AUDIENCE } from '../../support/vendors/session-endpoints.js';
import { jsonBodyOf } from '../../support/vendors/vendor-request.js';

const world = await aConnectedWorkspace();
const { service, vendor } = world;
const editor = service.as('editor');
const key = 'session-exchange-jwt';
const method = authMethodFixture(world, key, { tokenPath: '/sessions/jwt', kind: 'client' });

describe('a session by a self-signed JWT', () => {
  itFollowsCredentialLifecycle(world, method);
  itRejectsWrongCredential(world, method, () => withWrongSecretValues(vendor.credentials[key]));

  it.each(['clientId', 'keyId', 'subject'])('is rejected with another %s', async (field) => {
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
