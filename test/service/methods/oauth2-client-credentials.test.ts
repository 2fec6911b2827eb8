import { describe, expect, it } from 'vitest';
import { aConnectedWorkspace, connect, validateCredential } from '../../support/sources/connected-workspace.js';
import { readVendorRecords, withStoredCredential } from '../../support/sources/stored-credential.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { withWrongSecretValues } from '../../support/vendors/fake-credential.js';
import { basicCredentialsOf } from '../../support/vendors/vendor-request.js';
import { replyForbidden, replyUnauthorized } from '../../support/vendors/vendor-responses.js';

const connected = await aConnectedWorkspace();
const { service, vendor } = connected;
const editor = service.as('editor');
const key = 'oauth2-client-credentials';
const own = { tokenPath: '/oauth/token', kind: 'client', identity: 'service@vendor.test' } as const;
const tokenCalls = () => vendor.callsTo('/oauth/token');

describe.each([
  ['in the form', key],
  ['in the header', 'oauth2-client-credentials-basic'],
] as const)('client credentials %s', (_, strategyKey) => {
  const method = authMethodFixture(connected, key, { ...own, strategyKey });
  itFollowsCredentialLifecycle(connected, method);
  itRejectsWrongCredential(connected, method, () => withWrongSecretValues(vendor.credentials[strategyKey]));

  it('are sent only there', async () => {
    await validateCredential(editor, await method.connect());
    const call = tokenCalls().at(-1);
    if (!call) throw new Error('no token was requested');
    const inForm = new URLSearchParams(call.body).has('client_secret');
    expect([inForm, basicCredentialsOf(call) !== undefined]).toEqual([strategyKey === key, strategyKey !== key]);
  });
});

describe('a token of client credentials', () => {
  const method = authMethodFixture(connected, key, own);
  const use = (instance: { credentialMetadataId: string }) =>
    withStoredCredential(service, instance, (call) => call({ path: '/records' }));

  it('is replaced only after the statuses in tokenRefreshCodes', async () => {
    const instance = await method.connect();
    await validateCredential(editor, instance);
    const before = tokenCalls().length;
    vendor.behave(`/${key}/records`, replyForbidden(), { times: 1 });
    expect([(await use(instance)).status, tokenCalls().length]).toEqual([403, before]);
    vendor.behave(`/${key}/records`, replyUnauthorized(), { times: 1 });
    expect([(await use(instance)).status, tokenCalls().length]).toEqual([200, before + 1]);
  });

  it('is replaced once per request, even if the source rejects the new token', async () => {
    const instance = await method.connect();
    await validateCredential(editor, instance);
    const before = tokenCalls().length;
    vendor.behave(`/${key}/records`, replyUnauthorized(), { times: 5 });
    expect([(await use(instance)).status, tokenCalls().length]).toEqual([401, before + 1]);
    vendor.recover();
  });

  it('supplies the host of the API if the definition reads it', async () => {
    const instance = (await connect(editor, 'oauth-response', vendor.credentials[key], { strategyKey: key })).body.data;
    expect(await validateCredential(editor, instance)).toMatchObject({ status: 'valid' });
    expect(await readVendorRecords(service, instance)).toHaveLength(25);
  });

  it('with fewer scopes than requested is valid, and the missing scopes are returned', async () => {
    vendor.grantedScopes = ['records:read'];
    const instance = await method.connect();
    const found = await validateCredential(editor, instance).finally(() => {
      vendor.grantedScopes = ['records:read', 'profile:read'];
    });
    expect(found).toMatchObject({
      ...{ status: 'valid', details: { grantedScopes: ['records:read'], missingScopes: ['profile:read'] } },
    });
    const detail = await editor.request(`/api/vendors/tenant-connector-credential-detail?instanceId=${instance.id}`);
    expect(detail.body.data).toMatchObject({ missingScopes: ['profile:read'] });
  });
});
