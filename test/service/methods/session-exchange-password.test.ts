import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace, validateCredential } from '../../support/sources/connected-workspace.js';
import { readVendorRecords } from '../../support/sources/stored-credential.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { withWrongSecretValues } from '../../support/vendors/fake-credential.js';
import { jsonBodyOf } from '../../support/vendors/vendor-request.js';

const world = await aConnectedWorkspace();
const { service, vendor } = world;
const editor = service.as('editor');
const key = 'session-exchange-password';
const tokenPath = '/sessions/password';
// The vendor returns no lifetime of its sessions, so none is renewed before expiry.
const session = { count: () => vendor.callsTo(tokenPath).length, end: () => vendor.tokens.expireAll() };
const method = authMethodFixture(world, key, { tokenPath, kind: 'password', session });

describe('a session by user name and password', () => {
  itFollowsCredentialLifecycle(world, method);
  itRejectsWrongCredential(world, method, () => withWrongSecretValues(vendor.credentials[key]));

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
    const told = others.map(({ headers, query, body }) => JSON.stringify([headers, `${query}`, body]));
    expect(told.join()).not.toContain(password);
  });
});
