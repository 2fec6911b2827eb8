import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace, getInstance, validateCredential } from '../../support/sources/connected-workspace.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { aFakeCredential, withWrongSecretValues } from '../../support/vendors/fake-credential.js';
import { VENDOR_SCOPES } from '../../support/vendors/fake-vendor-server.js';
import { DELEGATED_USER } from '../../support/vendors/vendor-credentials.js';

const connected = await aConnectedWorkspace();
const { service, vendor } = connected;
const editor = service.as('editor');

describe('domain-wide delegation', () => {
  const key = 'google-domain-wide-delegation';
  const method = authMethodFixture(connected, key, {
    tokenPath: '/oauth/token',
    kind: 'client',
    identity: DELEGATED_USER,
  });

  itFollowsCredentialLifecycle(connected, method);
  itRejectsWrongCredential(connected, method, () => withWrongSecretValues(vendor.credentials[key]));

  it('asserts the impersonated user and the scopes', async () => {
    await validateCredential(editor, await method.connect());
    const form = new URLSearchParams(vendor.callsTo('/oauth/token').at(-1)?.body);
    expect(decodeJwt(form.get('assertion') ?? '')).toMatchObject({
      sub: DELEGATED_USER,
      scope: VENDOR_SCOPES.join(' '),
    });
  });

  it('reports an invalid configuration for a user outside the domain, until another user is entered', async () => {
    const { authenticationConfig } = vendor.credentials[key];
    const ingestionConfig = { delegatedUser: 'nobody@vendor.test' };
    const instance = await method.connect({ ...vendor.credentials[key], ingestionConfig });
    expect(await validateCredential(editor, instance)).toMatchObject({
      status: 'invalid',
      errorCode: 'config_invalid',
    });
    expect((await getInstance(editor, instance)).connectionStatus).toBe('config_invalid');

    const { body } = await editor.post('/api/connectors/configure', {
      instanceId: instance.id,
      ...{ authenticationConfig: { ...authenticationConfig, privateKey: '' } },
      ingestionConfig: { delegatedUser: DELEGATED_USER },
    });
    const { status, details } = await validateCredential(editor, body.data);
    expect([status, details.identity]).toEqual(['valid', DELEGATED_USER]);
  });
});

describe('an assertion', () => {
  const key = 'oauth2-jwt-bearer';
  const method = authMethodFixture(connected, key, { tokenPath: '/oauth/token', kind: 'client' });

  const assertions = () =>
    vendor.callsTo('/oauth/token').map(({ body }) => decodeJwt(new URLSearchParams(body).get('assertion') ?? ''));

  itFollowsCredentialLifecycle(connected, method);
  itRejectsWrongCredential(connected, method, () => withWrongSecretValues(vendor.credentials[key]));

  it.each(['clientId', 'subject'])('with a different %s is rejected', async (field) => {
    const { authenticationConfig } = vendor.credentials[key];
    const instance = await method.connect(aFakeCredential({ ...authenticationConfig, [field]: 'nobody' }, {}));
    expect(await validateCredential(editor, instance)).toMatchObject({ status: 'invalid', errorCode: 'auth_failed' });
  });

  it('is rejected by a vendor that expects a different audience', async () => {
    const instance = await method.connect();
    const { origin } = vendor;
    vendor.origin = 'https://another.test';
    const found = await validateCredential(editor, instance).finally(() => {
      vendor.origin = origin;
    });
    expect(found).toMatchObject({ status: 'invalid', errorCode: 'auth_failed' });
  });

  it('has the token endpoint as audience, expires within minutes, and is new each time', async () => {
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

  it('with an invalid key makes the configuration invalid, and the key is not echoed', async () => {
    const { clientId = '', subject = '' } = vendor.credentials[key].authenticationConfig;
    const broken = aFakeCredential({ clientId, subject }, { privateKey: 'canary-of-no-key' });
    const { credentialMetadataId } = await method.connect(broken);
    const { body, text } = await editor.post('/api/connectors/validate', { credentialMetadataId });
    expect(body.data).toMatchObject({ status: 'invalid', errorCode: 'config_invalid' });
    expect(text).not.toContain('canary-of-no-key');
  });
});
