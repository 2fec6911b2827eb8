import { describe, expect, it } from '@jest/globals';
import { aConnectedWorld, validate } from '../support/connections.js';
import { followCourse, refuseWrong } from '../support/method-course.js';
import { aCredential, wrongOf } from '../support/played-credential.js';
import { vendorMethod } from '../support/played-method.js';

const world = await aConnectedWorld();
const { service, vendor } = world;
const method = vendorMethod(world, 'custom', {});

describe('a custom method: two keys in two headers', () => {
  followCourse(world, method);
  refuseWrong(world, method, () => wrongOf(vendor.credentials.custom));

  it.each(['apiKey', 'applicationKey'])('is refused where %s alone is wrong', async (field) => {
    const { authenticationConfig } = vendor.credentials.custom;
    const instance = await method.connect(aCredential({}, { ...authenticationConfig, [field]: 'another-key' }));
    const found = await validate(service.as('editor'), instance);
    expect(found).toMatchObject({ status: 'invalid', errorCode: 'auth_failed' });
  });
});
