import { describe, expect, it } from '@jest/globals';
import { aConnectedWorld } from '../support/connections.js';
import { followCourse, refuseWrong } from '../support/method-course.js';
import { wrongOf } from '../support/played-credential.js';
import { vendorMethod } from '../support/played-method.js';
import { readRecords } from '../support/stored-credential.js';

const world = await aConnectedWorld();
const { service, vendor } = world;
const method = vendorMethod(world, 'bearer', {});

describe('a bearer token', () => {
  followCourse(world, method);
  refuseWrong(world, method, () => wrongOf(vendor.credentials.bearer));

  it('stands in the Authorization header, behind its prefix', async () => {
    await readRecords(service, await method.connect());
    const { token } = vendor.credentials.bearer.authenticationConfig;
    expect(vendor.calls.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  });
});
