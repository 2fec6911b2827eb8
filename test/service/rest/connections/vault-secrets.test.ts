import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { pgDump } from '../../../support/database/pg-dump.js';
import {
  APP_REDIRECT_URI,
  allowRedirectUris,
  aPendingConnection,
  approveSignIn,
  beginSignIn,
  completeSignIn,
} from '../../../support/identity/oauth-sign-in.js';
import { findLeaks } from '../../../support/secrets/find-leaks.js';
import { VaultServer } from '../../../support/servers/vault-server.js';
import { captureLog } from '../../../support/service/captured-log.js';
import {
  aConnectedWorkspace,
  connect,
  offerOf,
  validateCredential,
} from '../../../support/sources/connected-workspace.js';
import { withWrongSecretValues } from '../../../support/vendors/fake-credential.js';

const vault = await new VaultServer().open();
afterAll(() => vault.close());
const captured = captureLog();
const { service, vendor, provider } = await aConnectedWorkspace(
  { SECRET_STORE: 'vault', VAULT_ADDR: vault.url, VAULT_TOKEN: vault.token },
  { log: captured.log },
);
const editor = captured.client(service.as('editor'));
const { credentials } = vendor;

afterEach(() => {
  vault.answer = undefined;
});

/** The Vault returns the request in its response, as a proxy with a debug page does. */
function breakVault(status = 500): void {
  vault.answer = async (request, response) => {
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ errors: [request.headers, vault.lastBody] }));
  };
}

const configure = (instanceId: string, authenticationConfig: object, more: object = {}) =>
  editor.post('/api/connectors/configure', { instanceId, authenticationConfig, ...more });

describe('connections with a Vault', () => {
  it('store submitted secrets and sessions in the Vault', async () => {
    const { data } = (await connect(editor, 'oauth2-refresh', credentials['oauth2-refresh'])).body;
    expect(await validateCredential(editor, data)).toMatchObject({ status: 'valid' });
    vendor.tokens.expireAll();
    expect(await validateCredential(editor, data)).toMatchObject({ status: 'valid' });
  });

  it('store the tokens of a sign-in, but nothing of the sign-in itself after its end', async () => {
    await allowRedirectUris(service.as('owner'), [APP_REDIRECT_URI]);
    const before = new Set(vault.entries.keys());
    const instance = await aPendingConnection(editor, provider, 'client_secret_post');
    await beginSignIn(editor, instance);
    await queryAsOwner(service, "update oauth_flow set expires_at = now() - interval '25 hours'");
    const back = await approveSignIn(provider, await beginSignIn(editor, instance, { redirectUri: APP_REDIRECT_URI }));

    const { body } = await completeSignIn(editor, back);
    expect(body.data.validation).toMatchObject({ status: 'valid' });
    expect(await validateCredential(editor, body.data)).toMatchObject({ status: 'valid' });
    const { credentialMetadataId } = body.data;
    const records = [...vault.entries.keys()].filter((path) => !before.has(path)).map((path) => path.split('/').at(-1));
    expect(records.sort()).toEqual([credentialMetadataId, `${credentialMetadataId}.session`]);
  });

  it('delete stored secrets after reconfiguration and deletion', async () => {
    const before = vault.entries.size;
    const { data } = (await connect(editor, 'session-exchange', credentials['session-exchange'])).body;
    await validateCredential(editor, data);
    expect(vault.entries.size).toBe(before + 2);
    const again = await configure(data.id, credentials['session-exchange'].authenticationConfig);
    expect([again.status, vault.entries.size]).toEqual([200, before + 1]);
    await editor.delete(`/api/vendors/tenant-connector-instances/${data.id}`);
    expect(vault.entries.size).toBe(before);
  });

  it('delete the secrets of a rejected request', async () => {
    const { data } = (await connect(editor, 'bearer', credentials.bearer)).body;
    const before = vault.entries.size;
    const statuses = await Promise.all(
      [1, 2, 3, 4, 5].map(async () => (await configure(data.id, { token: 'another one' })).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
    expect(vault.entries.size).toBe(before);
  });

  it("return 503 without the Vault's response while it is unavailable", async () => {
    const { data } = (await connect(editor, 'bearer', credentials.bearer)).body;
    const wrong = withWrongSecretValues(credentials.bearer);
    const offer = await offerOf(editor, 'bearer');
    for (const status of [400, 403, 500]) {
      breakVault(status);
      const create = await editor.post('/api/connectors', {
        ...offer,
        authenticationConfig: wrong.authenticationConfig,
      });
      const change = await configure(data.id, wrong.authenticationConfig);
      const test = await editor.post('/api/connectors/validate', data);
      for (const reply of [create, change])
        expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
      expect(test.status).toBe(400);
    }
    const { credentialMetadataId } = data;
    expect((await editor.post('/api/connectors/validate', { credentialMetadataId })).status).toBe(503);
    vault.answer = undefined;
    expect(await validateCredential(editor, data)).toMatchObject({ status: 'valid' });
    const secrets = [...Object.values(credentials), wrong].flatMap((one) => one.secrets);
    const output = [...captured.lines, ...captured.replies, await pgDump(service.databaseUrl)].join('\n');
    expect(findLeaks(output, [...secrets, ...vendor.tokens.texts, vault.token])).toEqual([]);
  });
});
