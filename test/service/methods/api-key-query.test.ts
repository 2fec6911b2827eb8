import { Writable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { findLeaks } from '../../support/secrets/find-leaks.js';
import { listenOnLoopback } from '../../support/servers/loopback.js';
import { aConnectedWorkspace, validateCredential } from '../../support/sources/connected-workspace.js';
import { authMethodFixture } from '../../support/vendors/auth-method-fixture.js';
import { itFollowsCredentialLifecycle, itRejectsWrongCredential } from '../../support/vendors/credential-lifecycle.js';
import { withWrongSecretValues } from '../../support/vendors/fake-credential.js';
import { replyEcho, replyRedirect, type VendorBehaviour } from '../../support/vendors/vendor-responses.js';

let log = '';
const sink = new Writable({
  write: (line, _, done) => {
    log += line;
    done();
  },
});
const connected = await aConnectedWorkspace({}, { log: sink });
const { service, vendor } = connected;
const editor = service.as('editor');
const method = authMethodFixture(connected, 'api-key-query', {});

const captured: string[] = [];
const elsewhere = await listenOnLoopback((request, response) => {
  captured.push(`${request.url} ${JSON.stringify(request.headers)}`);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
});
afterAll(() => elsewhere.close());

const hangUp: VendorBehaviour = (_, response) => response.destroy();

describe('an API key in the query', () => {
  itFollowsCredentialLifecycle(connected, method);
  itRejectsWrongCredential(connected, method, () => withWrongSecretValues(vendor.credentials['api-key-query']));

  it('is not sent to another host after a redirect', async () => {
    vendor.behave('/api-key-query/me', replyRedirect(`${elsewhere.origin}/me`), { times: 1 });
    const instance = await method.connect();
    expect(await validateCredential(editor, instance)).toMatchObject({ status: 'inconclusive' });
    expect(captured).toHaveLength(1);
    expect(findLeaks(captured.join(), vendor.credentials['api-key-query'].secrets)).toEqual([]);
  });

  it.each<[string, VendorBehaviour]>([
    ['answers', replyEcho()],
    ['echoes the request', replyEcho(401)],
    ['hangs up', hangUp],
  ])('appears in no log and no response if the vendor %s', async (_, behaviour) => {
    vendor.behave('/api-key-query/me', behaviour, { times: 1 });
    const { credentialMetadataId } = await method.connect();
    const reply = await editor.post('/api/connectors/validate', { credentialMetadataId });
    expect(vendor.calls.at(-1)?.query.get('api_key')).toBe(vendor.credentials['api-key-query'].secrets[0]);
    expect(log).toContain('/api/connectors/validate');
    expect(findLeaks(log + reply.text, vendor.credentials['api-key-query'].secrets)).toEqual([]);
  });
});
