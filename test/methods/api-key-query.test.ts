import { Writable } from 'node:stream';
import { afterAll, describe, expect, it } from '@jest/globals';
import { aConnectedWorld, validate } from '../support/connections.js';
import { findLeaks } from '../support/leaks.js';
import { listenOnLoopback } from '../support/loopback.js';
import { followCourse, refuseWrong } from '../support/method-course.js';
import { wrongOf } from '../support/played-credential.js';
import { vendorMethod } from '../support/played-method.js';
import { type Behaviour, echo, redirectTo } from '../support/vendor-behaviours.js';

let log = '';
const sink = new Writable({
  write: (line, _, done) => {
    log += line;
    done();
  },
});
const world = await aConnectedWorld({}, { log: sink });
const { service, vendor } = world;
const editor = service.as('editor');
const method = vendorMethod(world, 'api-key-query', {});

const asked: string[] = [];
const elsewhere = await listenOnLoopback((request, response) => {
  asked.push(`${request.url} ${JSON.stringify(request.headers)}`);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
});
afterAll(() => elsewhere.close());

const hangUp: Behaviour = (_, response) => response.destroy();

describe('an API key in the query', () => {
  followCourse(world, method);
  refuseWrong(world, method, () => wrongOf(vendor.credentials['api-key-query']));

  it('is not shown to another host that the vendor sends the call on to', async () => {
    vendor.behave('/api-key-query/me', redirectTo(`${elsewhere.origin}/me`), { times: 1 });
    const instance = await method.connect();
    expect(await validate(editor, instance)).toMatchObject({ status: 'inconclusive' });
    expect(asked).toHaveLength(1);
    expect(findLeaks(asked.join(), vendor.credentials['api-key-query'].secrets)).toEqual([]);
  });

  it.each<[string, Behaviour]>([
    ['answers', echo()],
    ['refuses with all that it was told', echo(401)],
    ['hangs up', hangUp],
  ])('is in no log and no reply where the vendor %s', async (_, behaviour) => {
    vendor.behave('/api-key-query/me', behaviour, { times: 1 });
    const { credentialMetadataId } = await method.connect();
    const reply = await editor.post('/api/connectors/validate', { credentialMetadataId });
    expect(vendor.calls.at(-1)?.query.get('api_key')).toBe(vendor.credentials['api-key-query'].secrets[0]);
    expect(log).toContain('/api/connectors/validate');
    expect(findLeaks(log + reply.text, vendor.credentials['api-key-query'].secrets)).toEqual([]);
  });
});
