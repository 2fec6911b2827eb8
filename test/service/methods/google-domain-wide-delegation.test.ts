import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace, getInstance, validateCredential } from '../../support/sources/connected-workspace.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { withWrongSecretValues } from '../../support/vendors/fake-credential.js';
import { VENDOR_SCOPES } from '../../support/vendors/fake-vendor-server.js';
import { DELEGATED_USER } from '../../support/vendors/vendor-credentials.js';

const world = await aConnectedWorkspace();
const { service, vendor } = world;
const editor = service.as('editor');
const key = 'google-domain-wide-delegation';
const method = authMethodFixture(world, key, { tokenPath: '/oauth/token', kind: 'client', identity: DELEGATED_USER });

describe('domain-wide delegation', () => {
  itFollowsCredentialLifecycle(world, method);
  itRejectsWrongCredential(world, method, () => withWrongSecretValues(vendor.credentials[key]));

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
