import { describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { aConnectedWorld, validate } from '../support/connections.js';
import { followCourse, refuseWrong } from '../support/method-course.js';
import { aCredential, wrongOf } from '../support/played-credential.js';
import { vendorMethod } from '../support/played-method.js';
import { jsonOf } from '../support/vendor-call.js';
import { SESSION_AUDIENCE } from '../support/vendor-sign-in.js';

const world = await aConnectedWorld();
const { service, vendor } = world;
const editor = service.as('editor');
const key = 'session-exchange-jwt';
const method = vendorMethod(world, key, { tokenPath: '/sessions/jwt', kind: 'client' });

describe('a session by a JWT of our own making', () => {
  followCourse(world, method);
  refuseWrong(world, method, () => wrongOf(vendor.credentials[key]));

  it.each(['clientId', 'keyId', 'subject'])('is refused with another %s', async (field) => {
    const { authenticationConfig } = vendor.credentials[key];
    const instance = await method.connect(aCredential({ ...authenticationConfig, [field]: 'nobody' }, {}));
    expect(await validate(editor, instance)).toMatchObject({ status: 'invalid', errorCode: 'auth_failed' });
  });

  it('is asked for by a JWT for the audience of the definition, which names its key and is new each time', async () => {
    const instance = await method.connect();
    await validate(editor, instance);
    vendor.tokens.expireAll();
    await validate(editor, instance);
    const jwts = vendor
      .callsTo('/sessions/jwt')
      .slice(-2)
      .map((call) => jsonOf(call).jwt);
    const { keyId } = vendor.credentials[key].authenticationConfig;
    for (const jwt of jwts) {
      expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: 'HS256', kid: keyId });
      expect(decodeJwt(jwt).aud).toBe(SESSION_AUDIENCE);
    }
    expect(new Set(jwts.map((jwt) => decodeJwt(jwt).jti)).size).toBe(2);
  });
});
