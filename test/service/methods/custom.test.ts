import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace, validateCredential } from '../../support/sources/connected-workspace.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { aFakeCredential, withWrongSecretValues } from '../../support/vendors/fake-credential.js';

const world = await aConnectedWorkspace();
const { service, vendor } = world;
const method = authMethodFixture(world, 'custom', {});

describe('a custom method: two keys in two headers', () => {
  itFollowsCredentialLifecycle(world, method);
  itRejectsWrongCredential(world, method, () => withWrongSecretValues(vendor.credentials.custom));

  it.each(['apiKey', 'applicationKey'])('is rejected if only %s is wrong', async (field) => {
    const { authenticationConfig } = vendor.credentials.custom;
    const instance = await method.connect(aFakeCredential({}, { ...authenticationConfig, [field]: 'another-key' }));
    const found = await validateCredential(service.as('editor'), instance);
    expect(found).toMatchObject({ status: 'invalid', errorCode: 'auth_failed' });
  });
});
