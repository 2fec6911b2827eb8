import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace, validateCredential } from '../../support/sources/connected-workspace.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { withWrongSecretValues } from '../../support/vendors/fake-credential.js';
import { jsonBodyOf } from '../../support/vendors/vendor-request.js';

const world = await aConnectedWorkspace();
const { service, vendor } = world;
const key = 'session-exchange';
const method = authMethodFixture(world, key, { tokenPath: '/sessions' });

describe("a session by the customer's token", () => {
  itFollowsCredentialLifecycle(world, method);
  itRejectsWrongCredential(world, method, () => withWrongSecretValues(vendor.credentials[key]));

  it('is opened with the JSON of the definition, and sent without a prefix', async () => {
    await validateCredential(service.as('editor'), await method.connect());
    const { tokenName: name, tokenSecret: secret } = vendor.credentials[key].authenticationConfig;
    const call = vendor.callsTo('/sessions').at(-1);
    expect(call && jsonBodyOf(call)).toEqual({ credentials: { name, secret } });
    expect(vendor.calls.at(-1)?.headers['x-session']).toBe(vendor.tokens.texts.at(-1));
  });
});
