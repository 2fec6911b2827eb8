import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace, connect } from '../../support/sources/connected-workspace.js';
import { readVendorRecords } from '../../support/sources/stored-credential.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { aFakeCredential, withWrongSecretValues } from '../../support/vendors/fake-credential.js';

const world = await aConnectedWorkspace();
const { service, vendor } = world;
const method = authMethodFixture(world, 'api-key-header', {});

describe('an API key in a header', () => {
  itFollowsCredentialLifecycle(world, method);
  itRejectsWrongCredential(world, method, () => withWrongSecretValues(vendor.credentials['api-key-header']));

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
    const instance = (await connect(service.as('editor'), 'api-key-header', broken)).body.data;
    const { credentialMetadataId } = instance;
    const { text, body } = await service.as('editor').post('/api/connectors/validate', { credentialMetadataId });
    expect(body.data).toMatchObject({ status: 'invalid', errorCode: 'config_invalid' });
    expect(text).not.toContain('lines-of-a-key');
  });
});
