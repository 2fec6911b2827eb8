import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { aConnectedWorld, read, validate } from '../support/connections.js';
import { followCourse, refuseWrong } from '../support/method-course.js';
import { wrongOf } from '../support/played-credential.js';
import { vendorMethod } from '../support/played-method.js';
import { DELEGATED_USER } from '../support/vendor-credentials.js';
import { VENDOR_SCOPES } from '../support/vendor-server.js';

const world = await aConnectedWorld();
const { service, vendor } = world;
const editor = service.as('editor');
const key = 'google-domain-wide-delegation';
const method = vendorMethod(world, key, { tokenPath: '/oauth/token', kind: 'client', identity: DELEGATED_USER });

describe('domain-wide delegation', () => {
  followCourse(world, method);
  refuseWrong(world, method, () => wrongOf(vendor.credentials[key]));

  it('asserts the user that it acts for, and its scopes', async () => {
    await validate(editor, await method.connect());
    const form = new URLSearchParams(vendor.callsTo('/oauth/token').at(-1)?.body);
    expect(decodeJwt(form.get('assertion') ?? '')).toMatchObject({
      sub: DELEGATED_USER,
      scope: VENDOR_SCOPES.join(' '),
    });
  });

  it('for a user whom the domain does not know is a wrong configuration, until another is entered', async () => {
    const { authenticationConfig } = vendor.credentials[key];
    const ingestionConfig = { delegatedUser: 'nobody@vendor.test' };
    const instance = await method.connect({ ...vendor.credentials[key], ingestionConfig });
    expect(await validate(editor, instance)).toMatchObject({ status: 'invalid', errorCode: 'config_invalid' });
    expect((await read(editor, instance)).connectionStatus).toBe('config_invalid');

    const { body } = await editor.post('/api/connectors/configure', {
      instanceId: instance.id,
      ...{ authenticationConfig: { ...authenticationConfig, privateKey: '' } },
      ingestionConfig: { delegatedUser: DELEGATED_USER },
    });
    const { status, details } = await validate(editor, body.data);
    expect([status, details.identity]).toEqual(['valid', DELEGATED_USER]);
  });
});
