import { beforeEach, describe, expect, it } from 'vitest';
import { decodeId, newId } from '../../../../src/kernel/ids.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';
import {
  aConnectedWorkspace,
  connect,
  getInstance,
  offerOf,
  validateCredential,
} from '../../../support/sources/connected-workspace.js';
import { withWrongSecretValues } from '../../../support/vendors/fake-credential.js';

const { service, vendor, provider } = await aConnectedWorkspace();
const editor = service.as('editor');
const viewer = service.as('viewer');
const bearer = vendor.credentials.bearer;

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
let instance: any;
beforeEach(async () => {
  instance = (await connect(editor, 'bearer', bearer)).body.data;
});

describe('POST /api/connectors', () => {
  it('requires authentication', async () => {
    expect((await service.post('/api/connectors', {})).status).toBe(401);
  });

  it('returns the connection, which waits for the test of its credentials', () => {
    expect(instance).toMatchObject({
      connectionStatus: 'validation_pending',
      hasValidCredentials: false,
      credentialErrorCode: null,
      credentialStatus: 'pending',
      credentialMetadataId: expect.stringMatching(/^\w{22}$/),
      connector: { name: 'Loopback bearer' },
      grouping: { slug: 'bearer', vendor: { slug: 'loopback' } },
      authenticationStrategy: { type: 'bearer' },
    });
  });

  it('returns secrets as empty strings', () => {
    expect(instance.authenticationConfig).toEqual({ token: '' });
  });

  it.each([
    [
      'an unknown field',
      { authenticationConfig: { token: 'x', tokn: 'canary-1' } },
      'authenticationConfig has no field "tokn".',
    ],
    ['a missing field', { authenticationConfig: {} }, 'authenticationConfig.token is missing.'],
    ['an empty secret', { authenticationConfig: { token: '' } }, 'authenticationConfig.token is missing.'],
    [
      'a secret that is a number',
      { authenticationConfig: { token: 17 } },
      'authenticationConfig.token must be string.',
    ],
    [
      'an ingestion config without a schema',
      { ingestionConfig: { x: 'canary-2' } },
      'ingestionConfig has no field "x".',
    ],
    ['a name of blanks', { name: '  ' }, 'name must not be blank.'],
  ])('rejects %s with the name of the field, but without its value', async (_, change, message) => {
    const offer = await offerOf(editor, 'bearer');
    const reply = await editor.post('/api/connectors', { ...offer, authenticationConfig: { token: 'x' }, ...change });
    expect([reply.status, reply.body.error]).toEqual([400, `BAD_REQUEST: ${message}`]);
    expect(reply.text).not.toContain('canary');
  });

  it.each([
    ['draft', 409, 409, /is a draft and accepts no connections and no sign-ins until it is published/],
    ['in_review', 409, 409, /is in review and accepts no connections and no sign-ins until it is published/],
    ['archived', 409, 200, /is archived and accepts no new connections/],
    ['deprecated', 200, 200, undefined],
  ])(
    'for a connector with status %s returns %i, and %i for a sign-in with it',
    async (releaseStatus, created, started, message) => {
      const key = 'oauth2-auth-code-pkce';
      const client = provider.credentials.client_secret_basic;
      const { id: instanceId, connector } = (await connect(editor, key, client)).body.data;
      const release = (status: string) =>
        queryAsOwner(service, 'update connector set release_status = $2 where id = $1', [
          decodeId(connector.id),
          status,
        ]);
      await release(releaseStatus);
      const replies = [
        await connect(editor, key, client),
        await editor.post('/api/connectors/connector-oauth-start', { instanceId }),
      ];
      await release('published');
      expect(replies.map(({ status }) => status)).toEqual([created, started]);
      for (const { status, body } of replies) if (status === 409) expect(body.error).toMatch(message as RegExp);
    },
  );

  it.each(['connectorId', 'groupingId', 'authenticationStrategyId'])('returns 404 for an unknown %s', async (name) => {
    const id = newId();
    const offer = { ...(await offerOf(editor, 'bearer')), [name]: id };
    const reply = await editor.post('/api/connectors', { ...offer, authenticationConfig: { token: 'x' } });
    expect([reply.status, reply.body.error]).toEqual([404, expect.stringContaining(`${name} "${id}"`)]);
  });

  it('rejects the strategy or grouping of another connector', async () => {
    const [offer, other] = [await offerOf(editor, 'bearer'), await offerOf(editor, 'basic')];
    for (const name of ['groupingId', 'authenticationStrategyId'] as const) {
      const mixed = { ...offer, [name]: other[name], authenticationConfig: { token: 'x' } };
      expect((await editor.post('/api/connectors', mixed)).status).toBe(404);
    }
  });

  it('creates one connection for concurrent requests with one Idempotency-Key', async () => {
    const wanted = { ...(await offerOf(editor, 'bearer')), ...{ authenticationConfig: bearer.authenticationConfig } };
    const post = () => editor.post('/api/connectors', wanted, { 'idempotency-key': 'once' });
    const [one, other] = await Promise.all([post(), post()]);
    expect(one.body.data.id).toBe(other.body.data.id);
  });

  it('enables the taps that are on by default, each with its own table', async () => {
    const { body } = await viewer.graphql(
      'query ($id: Base62Id!) { tenantConnectorInstance(id: $id) { taps { name enabled tableName tap { name } } } }',
      { id: instance.id },
    );
    expect(body.data.tenantConnectorInstance.taps).toEqual([
      {
        name: 'comments',
        enabled: true,
        tableName: expect.stringMatching(/^loopback_comments_[0-9a-f]{8}$/),
        tap: { name: 'comments' },
      },
      {
        name: 'records',
        enabled: true,
        tableName: expect.stringMatching(/^loopback_records_/),
        tap: { name: 'records' },
      },
    ]);
  });
});

describe('POST /api/connectors/validate', () => {
  it('returns valid for a correct credential, with the identity at the source', async () => {
    expect(await validateCredential(editor, instance)).toMatchObject({
      ...{ status: 'valid', success: true, message: expect.any(String) },
      details: { identity: expect.stringContaining('@'), grantedScopes: expect.any(Array) },
    });
    expect(await getInstance(viewer, instance)).toMatchObject({
      ...{ connectionStatus: 'idle', hasValidCredentials: true, credentialStatus: 'valid', credentialErrorCode: null },
    });
  });

  it('returns invalid for a wrong credential, with the next step', async () => {
    const wrong = (await connect(editor, 'bearer', withWrongSecretValues(bearer))).body.data;
    expect(await validateCredential(editor, wrong)).toMatchObject({
      ...{ status: 'invalid', success: false, errorCode: 'auth_failed', details: { httpStatus: 401 } },
    });
    expect(await getInstance(viewer, wrong)).toMatchObject({
      ...{ connectionStatus: 'credential_error', hasValidCredentials: false, credentialErrorCode: 'auth_failed' },
    });
  });
});

describe('GET /api/vendors/tenant-connector-instances-for-vendors/{vendorSlug}', () => {
  const list = (client = viewer, slug = 'loopback') =>
    client.request(`/api/vendors/tenant-connector-instances-for-vendors/${slug}`);

  it('requires authentication', async () => {
    expect((await list(service as never)).status).toBe(401);
  });

  it('lists the connections to the vendor', async () => {
    expect((await list()).body.data.map(({ id }: { id: string }) => id)).toContain(instance.id);
    expect((await list(viewer, 'github')).body.data).toEqual([]);
  });

  it('is empty for a caller without a workspace, without membership or without the permission', async () => {
    const token = `Bearer ${await service.tokenOf('viewer')}`;
    const without = await service.request('/api/vendors/tenant-connector-instances-for-vendors/loopback', {
      headers: { authorization: token },
    });
    await createTestWorkspace(service, 'other');
    const foreign = await list(service.as('owner', { slug: 'other', named: 'demo' }));
    for (const { status, body } of [without, foreign]) expect([status, body.data]).toEqual([200, []]);
  });
});

describe('GET /api/vendors/tenant-connector-instances/{id}', () => {
  it('returns the conditions on parent records', async () => {
    expect((await getInstance(viewer, instance)).parentDataFilters).toEqual([
      { parentTap: 'records', predicate: { field: 'comments', operator: 'gt', threshold: 0 } },
    ]);
  });
});

describe('POST /api/connectors/configure', () => {
  const configure = (body: object) => editor.post('/api/connectors/configure', { instanceId: instance.id, ...body });

  it('stores new credentials as a new record and enqueues its test', async () => {
    const reply = await configure({ authenticationConfig: { token: 'another' } });
    expect(reply.body.data).toMatchObject({ id: instance.id, credentialStatus: 'pending' });
    expect(reply.body.data.credentialMetadataId).not.toBe(instance.credentialMetadataId);
    expect((await editor.post('/api/connectors/validate', instance)).status).toBe(400);
    const old = await editor.post('/api/connectors/validate', { credentialMetadataId: instance.credentialMetadataId });
    expect(old.status).toBe(409);
  });

  it.each([{}, { token: '' }])('keeps a secret that is submitted as %j', async (authenticationConfig) => {
    const { body } = await configure({ authenticationConfig });
    expect(await validateCredential(editor, body.data)).toMatchObject({ status: 'valid' });
  });

  it('requires all secrets if stored secrets cannot be decrypted', async () => {
    await queryAsOwner(service, 'update sealed_credential set config = \'{"token":"s1.x.y"}\'');
    const { status, body } = await configure({ authenticationConfig: {} });
    expect([status, body.error]).toEqual([400, expect.stringContaining('Submit all secrets again')]);
    const anew = await configure({ authenticationConfig: bearer.authenticationConfig });
    expect(await validateCredential(editor, anew.body.data)).toMatchObject({ status: 'valid' });
  });

  it('clears a secret submitted as null', async () => {
    const { status, body } = await configure({ authenticationConfig: { token: null } });
    expect([status, body.error]).toEqual([400, 'BAD_REQUEST: authenticationConfig.token is missing.']);
  });

  it('returns 409 for an outdated credentialMetadataId', async () => {
    const { credentialMetadataId } = instance;
    const change = { authenticationConfig: { token: 'x' }, credentialMetadataId };
    expect((await configure(change)).status).toBe(200);
    expect((await configure(change)).status).toBe(409);
  });

  it('accepts one of two concurrent requests', async () => {
    const { credentialMetadataId } = instance;
    const attempts = Array.from({ length: 5 }, (_, at) =>
      configure({ authenticationConfig: { token: `t${at}` }, credentialMetadataId }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409, 409, 409]);
  });

  it('requires all secrets again if the address changes', async () => {
    const host = vendor.origin.replace('http://', '');
    const hosted = (await connect(editor, 'host', { ...bearer, ingestionConfig: { host } })).body.data;
    const { body, status } = await editor.post('/api/connectors/configure', {
      instanceId: hosted.id,
      ...{ authenticationConfig: {}, ingestionConfig: { host: '127.0.0.1:9' } },
    });
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/must be submitted again, because host changes\.$/),
    ]);
  });
});

describe('PATCH and DELETE /api/vendors/tenant-connector-instances/{id}', () => {
  const path = () => `/api/vendors/tenant-connector-instances/${instance.id}`;
  const patch = (body: object) => editor.patch(path(), body);

  it('renames, disables and pauses a connection', async () => {
    expect((await patch({ name: 'Production' })).body.data.name).toBe('Production');
    expect((await patch({ name: null })).body.data.name).toBeUndefined();
    expect((await patch({ enabled: false })).body.data.connectionStatus).toBe('disabled');
    await validateCredential(editor, instance);
    expect((await patch({ enabled: true, schedulePaused: true })).body.data.connectionStatus).toBe('schedule_paused');
  });

  it('returns the connection unchanged for a body without fields', async () => {
    const before = (await editor.request(path())).body.data;
    expect((await patch({})).body.data).toMatchObject({ id: before.id, updatedAt: before.updatedAt });
    expect((await editor.request(path())).body.data).toEqual(before);
  });

  it('deletes the connection and its secrets', async () => {
    expect((await editor.delete(path())).body.data).toBe(true);
    expect((await editor.request(path())).status).toBe(404);
    expect((await editor.delete(path())).status).toBe(404);
    expect(
      (await editor.post('/api/connectors/validate', { credentialMetadataId: instance.credentialMetadataId })).status,
    ).toBe(404);
  });
});

describe('the session of a connection', () => {
  it('is kept if a new configuration does not change its secrets and addresses', async () => {
    const { body } = await connect(editor, 'oauth2-refresh', vendor.credentials['oauth2-refresh']);
    expect(await validateCredential(editor, body.data)).toMatchObject({ status: 'valid' });
    const calls = vendor.callsTo('/oauth/token').length;
    const { clientId } = vendor.credentials['oauth2-refresh'].authenticationConfig;
    const change = { instanceId: body.data.id, authenticationConfig: { clientId }, name: 'Renamed' };
    const changed = (await editor.post('/api/connectors/configure', change)).body.data;
    expect(await validateCredential(editor, changed)).toMatchObject({ status: 'valid' });
    expect(vendor.callsTo('/oauth/token').length).toBe(calls);
  });
});
