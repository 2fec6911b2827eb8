import { afterAll, expect, it } from '@jest/globals';
import { aConnectedWorld, validate } from '../support/connections.js';
import { rowsOf } from '../support/rows.js';
import { APP, aConnection, agree, begin, complete, listAddresses } from '../support/sign-ins.js';
import { VaultServer } from '../support/vault-server.js';

const vault = await new VaultServer().open();
afterAll(() => vault.close());
const { service, provider } = await aConnectedWorld({
  ...{ SECRET_STORE: 'vault', VAULT_ADDR: vault.url, VAULT_TOKEN: vault.token },
});

it('keeps the tokens of a sign-in, and nothing of the sign-in itself once that has ended', async () => {
  const editor = service.as('editor');
  await listAddresses(service.as('owner'), [APP]);
  const instance = await aConnection(editor, provider, 'client_secret_post');
  await begin(editor, instance);
  await rowsOf(service, "update oauth_flow set expires_at = now() - interval '25 hours'");
  const back = await agree(provider, await begin(editor, instance, { redirectUri: APP }));

  const { body } = await complete(editor, back);
  expect(body.data.validation).toMatchObject({ status: 'valid' });
  expect(await validate(editor, body.data)).toMatchObject({ status: 'valid' });
  const { credentialMetadataId } = body.data;
  const records = [...vault.entries.keys()].map((path) => path.split('/').at(-1));
  expect(records.sort()).toEqual([credentialMetadataId, `${credentialMetadataId}.session`]);
});
