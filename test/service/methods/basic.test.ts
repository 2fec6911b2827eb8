import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace, validateCredential } from '../../support/sources/connected-workspace.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { FIXED_PASSWORD } from '../../support/vendors/credential-checks.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { aFakeCredential, withWrongSecretValues } from '../../support/vendors/fake-credential.js';

const world = await aConnectedWorkspace();
const { service, vendor } = world;

type Config = Readonly<Record<string, string>>;

describe.each([
  ['user name and password', 'basic', ({ username, password }: Config) => encoded(`${username}:${password}`)],
  [
    "a key and a word of the vendor's",
    'basic-fixed-password',
    ({ apiKey }: Config) => encoded(`${apiKey}:${FIXED_PASSWORD}`),
  ],
  ['a pre-encoded pair', 'basic-encoded', ({ encodedToken }: Config) => encodedToken],
] as const)('basic authentication by %s', (_, strategyKey, pairOf) => {
  const method = authMethodFixture(world, 'basic', { strategyKey, kind: 'password' });
  itFollowsCredentialLifecycle(world, method);
  itRejectsWrongCredential(world, method, () => withWrongSecretValues(vendor.credentials[strategyKey]));

  it('sends the pair in UTF-8 (RFC 7617)', async () => {
    await validateCredential(service.as('editor'), await method.connect());
    const pair = pairOf(vendor.credentials[strategyKey].authenticationConfig);
    expect(vendor.calls.at(-1)?.headers.authorization).toBe(`Basic ${pair}`);
  });
});

it('basic authentication rejects a user name with a colon, which would shift the start of the password', async () => {
  const method = authMethodFixture(world, 'basic', {});
  const instance = await method.connect(aFakeCredential({ username: 'a:b' }, { password: 'c' }));
  const calls = vendor.calls.length;
  expect(await validateCredential(service.as('editor'), instance)).toMatchObject({ errorCode: 'config_invalid' });
  expect(vendor.calls).toHaveLength(calls);
});

function encoded(pair: string): string {
  return Buffer.from(pair, 'utf8').toString('base64');
}
