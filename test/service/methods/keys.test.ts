import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace, connect, validateCredential } from '../../support/sources/connected-workspace.js';
import { readVendorRecords } from '../../support/sources/stored-credential.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { FIXED_PASSWORD } from '../../support/vendors/credential-checks.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { aFakeCredential, withWrongSecretValues } from '../../support/vendors/fake-credential.js';

const connected = await aConnectedWorkspace();
const { service, vendor } = connected;
const editor = service.as('editor');

describe('an API key in a header', () => {
  const method = authMethodFixture(connected, 'api-key-header', {});

  itFollowsCredentialLifecycle(connected, method);
  itRejectsWrongCredential(connected, method, () => withWrongSecretValues(vendor.credentials['api-key-header']));

  it('is sent only in that header', async () => {
    await readVendorRecords(service, await method.connect());
    const { apiKey = '' } = vendor.credentials['api-key-header'].authenticationConfig;
    const { headers, query, body } = vendor.calls.at(-1) ?? {};
    expect(headers).toMatchObject({ 'x-api-key': apiKey });
    const others = { ...headers, 'x-api-key': '' };
    expect(JSON.stringify([others, `${query}`, body])).not.toContain(apiKey);
  });

  it('with characters that a header cannot carry makes the configuration invalid, and is not echoed', async () => {
    const broken = aFakeCredential({}, { apiKey: 'two\nlines-of-a-key' });
    const instance = (await connect(editor, 'api-key-header', broken)).body.data;
    const { credentialMetadataId } = instance;
    const { text, body } = await editor.post('/api/connectors/validate', { credentialMetadataId });
    expect(body.data).toMatchObject({ status: 'invalid', errorCode: 'config_invalid' });
    expect(text).not.toContain('lines-of-a-key');
  });
});

describe('a bearer token', () => {
  const method = authMethodFixture(connected, 'bearer', {});

  itFollowsCredentialLifecycle(connected, method);
  itRejectsWrongCredential(connected, method, () => withWrongSecretValues(vendor.credentials.bearer));

  it('is sent in the Authorization header, after its prefix', async () => {
    await readVendorRecords(service, await method.connect());
    const { token } = vendor.credentials.bearer.authenticationConfig;
    expect(vendor.calls.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  });
});

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
  const method = authMethodFixture(connected, 'basic', { strategyKey, kind: 'password' });
  itFollowsCredentialLifecycle(connected, method);
  itRejectsWrongCredential(connected, method, () => withWrongSecretValues(vendor.credentials[strategyKey]));

  it('sends the pair in UTF-8 (RFC 7617)', async () => {
    await validateCredential(editor, await method.connect());
    const pair = pairOf(vendor.credentials[strategyKey].authenticationConfig);
    expect(vendor.calls.at(-1)?.headers.authorization).toBe(`Basic ${pair}`);
  });
});

it('basic authentication rejects a user name with a colon, which would shift the start of the password', async () => {
  const method = authMethodFixture(connected, 'basic', {});
  const instance = await method.connect(aFakeCredential({ username: 'a:b' }, { password: 'c' }));
  const calls = vendor.calls.length;
  expect(await validateCredential(editor, instance)).toMatchObject({ errorCode: 'config_invalid' });
  expect(vendor.calls).toHaveLength(calls);
});

function encoded(pair: string): string {
  return Buffer.from(pair, 'utf8').toString('base64');
}

describe('a custom method: two keys in two headers', () => {
  const method = authMethodFixture(connected, 'custom', {});

  itFollowsCredentialLifecycle(connected, method);
  itRejectsWrongCredential(connected, method, () => withWrongSecretValues(vendor.credentials.custom));

  it.each(['apiKey', 'applicationKey'])('is rejected if only %s is wrong', async (field) => {
    const { authenticationConfig } = vendor.credentials.custom;
    const instance = await method.connect(aFakeCredential({}, { ...authenticationConfig, [field]: 'another-key' }));
    const found = await validateCredential(editor, instance);
    expect(found).toMatchObject({ status: 'invalid', errorCode: 'auth_failed' });
  });
});
