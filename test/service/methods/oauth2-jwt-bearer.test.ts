import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace, validateCredential } from '../../support/sources/connected-workspace.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { aFakeCredential, withWrongSecretValues } from '../../support/vendors/fake-credential.js';

const world = await aConnectedWorkspace();
const { service, vendor } = world;
const editor = service.as('editor');
const key = 'oauth2-jwt-bearer';
const method = authMethodFixture(world, key, { tokenPath: '/oauth/token', kind: 'client' });

/** What was asserted to the token endpoint, the latest one last. */
const assertions = () =>
  vendor.callsTo('/oauth/token').map(({ body }) => decodeJwt(new URLSearchParams(body).get('assertion') ?? ''));

describe('an assertion', () => {
  itFollowsCredentialLifecycle(world, method);
  itRejectsWrongCredential(world, method, () => withWrongSecretValues(vendor.credentials[key]));

  it.each(['clientId', 'subject'])('with another %s is refused', async (field) => {
    const { authenticationConfig } = vendor.credentials[key];
    const instance = await method.connect(aFakeCredential({ ...authenticationConfig, [field]: 'nobody' }, {}));
    expect(await validateCredential(editor, instance)).toMatchObject({ status: 'invalid', errorCode: 'auth_failed' });
  });

  it('is refused by a vendor that goes by another audience', async () => {
    const instance = await method.connect();
    const { origin } = vendor;
    vendor.origin = 'https://another.test';
    const found = await validateCredential(editor, instance).finally(() => {
      vendor.origin = origin;
    });
    expect(found).toMatchObject({ status: 'invalid', errorCode: 'auth_failed' });
  });

  it('is for the token endpoint, for minutes, and never the same again', async () => {
    const instance = await method.connect();
    for (let nth = 0; nth < 3; nth++) {
      await validateCredential(editor, instance);
      vendor.tokens.expireAll();
    }
    const latest = assertions().slice(-3);
    expect(new Set(latest.map(({ jti }) => jti)).size).toBe(3);
    for (const { aud, iat = 0, exp = 0 } of latest) {
      expect(aud).toBe(`${vendor.origin}/oauth/token`);
      expect(exp - iat).toBeLessThanOrEqual(600);
    }
  });

  it('by a key that is none makes the configuration wrong, and the key is not repeated', async () => {
    const { clientId = '', subject = '' } = vendor.credentials[key].authenticationConfig;
    const broken = aFakeCredential({ clientId, subject }, { privateKey: 'canary-of-no-key' });
    const { credentialMetadataId } = await method.connect(broken);
    const { body, text } = await editor.post('/api/connectors/validate', { credentialMetadataId });
    expect(body.data).toMatchObject({ status: 'invalid', errorCode: 'config_invalid' });
    expect(text).not.toContain('canary-of-no-key');
  });
});
