import { describe, expect, it } from '@jest/globals';
import { aConnectedWorld, connect } from '../support/connections.js';
import { followCourse, refuseWrong } from '../support/method-course.js';
import { aCredential, wrongOf } from '../support/played-credential.js';
import { vendorMethod } from '../support/played-method.js';
import { readRecords } from '../support/stored-credential.js';

const world = await aConnectedWorld();
const { service, vendor } = world;
const method = vendorMethod(world, 'api-key-header', {});

describe('an API key in a header', () => {
  followCourse(world, method);
  refuseWrong(world, method, () => wrongOf(vendor.credentials['api-key-header']));

  it('stands in that header and nowhere else', async () => {
    await readRecords(service, await method.connect());
    const { apiKey = '' } = vendor.credentials['api-key-header'].authenticationConfig;
    const { headers, query, body } = vendor.calls.at(-1) ?? {};
    expect(headers).toMatchObject({ 'x-api-key': apiKey });
    const others = { ...headers, 'x-api-key': '' };
    expect(JSON.stringify([others, `${query}`, body])).not.toContain(apiKey);
  });

  it('that no header can carry makes the configuration wrong, and is not repeated', async () => {
    const broken = aCredential({}, { apiKey: 'two\nlines-of-a-key' });
    const instance = (await connect(service.as('editor'), 'api-key-header', broken)).body.data;
    const { credentialMetadataId } = instance;
    const { text, body } = await service.as('editor').post('/api/connectors/validate', { credentialMetadataId });
    expect(body.data).toMatchObject({ status: 'invalid', errorCode: 'config_invalid' });
    expect(text).not.toContain('lines-of-a-key');
  });
});
