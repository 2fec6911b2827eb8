import { describe, expect, it } from '@jest/globals';
import { aConnectedWorld, validate } from '../support/connections.js';
import { followCourse, refuseWrong } from '../support/method-course.js';
import { aCredential, wrongOf } from '../support/played-credential.js';
import { vendorMethod } from '../support/played-method.js';
import { readRecords, withStored } from '../support/stored-credential.js';

type Instance = { id: string; authenticationConfig: object };

const world = await aConnectedWorld();
const { service, vendor } = world;
const editor = service.as('editor');

/** Each with a grant of its own, since a refresh token is good for one use. */
function credential() {
  const { clientId = '', clientSecret = '' } = vendor.credentials['oauth2-refresh'].authenticationConfig;
  return aCredential({ clientId }, { clientSecret, refreshToken: vendor.tokens.issueRefreshToken() });
}

const method = vendorMethod(world, 'oauth2-refresh', {
  ...{ kind: 'sign_in', tokenPath: '/oauth/token', credential },
  withdraw: () => vendor.tokens.revokeAll(),
  withdrawn: 'expired',
});

/** Leaves all secrets as they are. */
function configure({ id: instanceId, authenticationConfig }: Instance) {
  return editor.post('/api/connectors/configure', { instanceId, authenticationConfig });
}

describe('a refresh token', () => {
  followCourse(world, method);
  refuseWrong(world, method, () => wrongOf(credential()));

  it('that the vendor does not know is expired, as the definition says', async () => {
    const { authenticationConfig } = credential();
    const instance = await method.connect(aCredential({ ...authenticationConfig, refreshToken: 'gone' }, {}));
    expect(await validate(editor, instance)).toMatchObject({ status: 'expired', errorCode: 'expired' });
  });

  it('is followed by another 20 times, and none is used twice', async () => {
    const instance = await method.connect();
    for (let nth = 0; nth < 20; nth++) {
      expect(await readRecords(service, instance)).toHaveLength(25);
      vendor.tokens.expireAll();
    }
    expect(await validate(editor, instance)).toMatchObject({ status: 'valid' });
    const sent = vendor
      .callsTo('/oauth/token')
      .slice(-21)
      .map(({ body }) => new URLSearchParams(body).get('refresh_token'));
    expect(new Set(sent).size).toBe(21);
  });

  it('that came in place of another is stored before it is used: a process that ends there loses nothing', async () => {
    const instance = await method.connect();
    const dies = withStored(
      ...([service, instance] as const),
      (call) => call({ path: '/records' }),
      (send) => (url, request) => (url.includes('/records') ? Promise.reject(new Error('killed')) : send(url, request)),
    );
    await expect(dies).rejects.toThrow('killed');
    const exchanges = vendor.callsTo('/oauth/token').length;
    expect(await readRecords(service, instance)).toHaveLength(25);
    expect(vendor.callsTo('/oauth/token')).toHaveLength(exchanges);
  });

  it('is kept by who configures the connection without it: the one that is good by now', async () => {
    const instance = await method.connect();
    await validate(editor, instance);
    const { body } = await configure(instance);
    expect(await validate(editor, body.data)).toMatchObject({ status: 'valid' });
    expect(await readRecords(service, body.data)).toHaveLength(25);
  });

  it('is not taken over by who configures the connection while it is being used', async () => {
    const instance = await method.connect();
    let configured = 0;
    vendor.behave('/oauth/token', async (_, response) => {
      configured = (await configure(instance)).status;
      response.writeHead(503).end();
    });
    await validate(editor, instance);
    vendor.recover();
    expect(configured).toBe(409);
    expect((await configure(instance)).status).toBe(200);
  });
});
