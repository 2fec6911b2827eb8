import { describe, expect, it } from '@jest/globals';
import { aConnectedWorld, validate } from '../support/connections.js';
import { followCourse, refuseWrong } from '../support/method-course.js';
import { wrongOf } from '../support/played-credential.js';
import { vendorMethod } from '../support/played-method.js';
import { jsonOf } from '../support/vendor-call.js';

const world = await aConnectedWorld();
const { service, vendor } = world;
const key = 'session-exchange';
const method = vendorMethod(world, key, { tokenPath: '/sessions' });

describe('a session by a token of the customer', () => {
  followCourse(world, method);
  refuseWrong(world, method, () => wrongOf(vendor.credentials[key]));

  it('is opened by JSON as the definition writes it, and sent without a prefix', async () => {
    await validate(service.as('editor'), await method.connect());
    const { tokenName: name, tokenSecret: secret } = vendor.credentials[key].authenticationConfig;
    const call = vendor.callsTo('/sessions').at(-1);
    expect(call && jsonOf(call)).toEqual({ credentials: { name, secret } });
    expect(vendor.calls.at(-1)?.headers['x-session']).toBe(vendor.tokens.texts.at(-1));
  });
});
