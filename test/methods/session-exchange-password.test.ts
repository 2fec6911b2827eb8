import { describe, expect, it } from '@jest/globals';
import { aConnectedWorld, validate } from '../support/connections.js';
import { followCourse, refuseWrong } from '../support/method-course.js';
import { wrongOf } from '../support/played-credential.js';
import { vendorMethod } from '../support/played-method.js';
import { readRecords } from '../support/stored-credential.js';
import { jsonOf } from '../support/vendor-call.js';

const world = await aConnectedWorld();
const { service, vendor } = world;
const editor = service.as('editor');
const key = 'session-exchange-password';
const tokenPath = '/sessions/password';
// The vendor does not say how long its sessions live, so none is renewed ahead of time.
const session = { count: () => vendor.callsTo(tokenPath).length, end: () => vendor.tokens.expireAll() };
const method = vendorMethod(world, key, { tokenPath, kind: 'password', session });

describe('a session by user name and password', () => {
  followCourse(world, method);
  refuseWrong(world, method, () => wrongOf(vendor.credentials[key]));

  it('is opened under the names that the vendor has for them', async () => {
    await validate(editor, await method.connect());
    const { username: login, password: passphrase } = vendor.credentials[key].authenticationConfig;
    const call = vendor.callsTo(tokenPath).at(-1);
    expect(call && jsonOf(call)).toEqual({ login, passphrase });
  });

  it('sends the password to the sign-in alone', async () => {
    const { password = '' } = vendor.credentials[key].authenticationConfig;
    await readRecords(service, await method.connect());
    const others = vendor.calls.filter(({ path }) => path !== tokenPath);
    const told = others.map(({ headers, query, body }) => JSON.stringify([headers, `${query}`, body]));
    expect(told.join()).not.toContain(password);
  });
});
