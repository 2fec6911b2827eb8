import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace } from '../../support/sources/connected-workspace.js';
import { readVendorRecords } from '../../support/sources/stored-credential.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { withWrongSecretValues } from '../../support/vendors/fake-credential.js';

const world = await aConnectedWorkspace();
const { service, vendor } = world;
const method = authMethodFixture(world, 'bearer', {});

describe('a bearer token', () => {
  itFollowsCredentialLifecycle(world, method);
  itRejectsWrongCredential(world, method, () => withWrongSecretValues(vendor.credentials.bearer));

  it('is sent in the Authorization header, after its prefix', async () => {
    await readVendorRecords(service, await method.connect());
    const { token } = vendor.credentials.bearer.authenticationConfig;
    expect(vendor.calls.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  });
});
