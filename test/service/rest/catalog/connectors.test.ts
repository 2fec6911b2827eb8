import type { IncomingMessage } from 'node:http';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { decodeId, newId } from '../../../../src/kernel/ids.js';
import { IN_THIS_DATABASE, queryAsOwner } from '../../../support/database/owner-queries.js';
import { signInWithVendor } from '../../../support/identity/vendor-sign-in.js';
import { listenOnLoopback } from '../../../support/servers/loopback.js';
import { queryField } from '../../../support/service/callers.js';
import { anOpenTransaction } from '../../../support/service/open-transaction.js';
import type { Client, Reply } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';
import {
  aConnectedWorkspace,
  connect,
  offerOf,
  getInstance as readInstance,
  validateCredential,
} from '../../../support/sources/connected-workspace.js';
import { aFakeVendorConnector } from '../../../support/vendors/fake-vendor-definitions.js';
import { aBearerStrategy } from '../../../support/vendors/vendor-strategies.js';

const { service, vendor, provider } = await aConnectedWorkspace(
  {},
  {
    more: ({ origin }) => [
      aFakeVendorConnector('own-base', {
        defaultBaseUrl: `${origin}/elsewhere`,
        supportedAuthStrategies: [{ ...aBearerStrategy(), defaultBaseUrl: `${origin}/bearer` }],
      }),
    ],
  },
);
const owner = service.as('owner');
const viewer = service.as('viewer');

describe('GET /api/connectors', () => {
  it('requires authentication', async () => {
    expect((await service.request('/api/connectors')).status).toBe(401);
  });

  it('lists connectors with strategies and taps, ordered by name', async () => {
    const { body } = await viewer.request('/api/connectors?limit=250');
    const names = body.data.items.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...names].sort());
    for (const { supportedAuthStrategies, taps } of body.data.items) {
      expect(Array.isArray(supportedAuthStrategies) && taps.length > 0).toBe(true);
    }
  });

  it('returns the request timeout, which defaults to 30 seconds', async () => {
    const { body } = await viewer.request('/api/connectors?limit=250');
    for (const { timeoutSeconds } of body.data.items) expect(timeoutSeconds).toBeGreaterThanOrEqual(1);
    const [github] = (await viewer.request('/api/connectors?search=GitHub%20REST')).body.data.items;
    const { body: graphql } = await viewer.graphql(
      'query ($id: String!) { connector(id: $id) { timeoutSeconds } }',
      github,
    );
    expect([github.timeoutSeconds, graphql.data.connector.timeoutSeconds]).toEqual([30, 30]);
  });

  it('returns inbound strategies only for connectors that accept pushed records', async () => {
    const { body } = await viewer.request('/api/connectors?limit=250');
    for (const { integrationClass, inboundAuthStrategies } of body.data.items) {
      expect(inboundAuthStrategies !== undefined).toBe(integrationClass === 'collector');
    }
  });
});

describe('GET /api/connectors/{id}', () => {
  const read = (id: string) => viewer.request(`/api/connectors/${id}`);

  it('requires authentication', async () => {
    expect((await service.request('/api/connectors/nothing_00000000')).status).toBe(401);
  });

  it('accepts an id or a slug', async () => {
    const { body } = await viewer.request('/api/connectors?limit=1');
    const [connector] = body.data.items;
    expect((await read(connector.id)).body.data).toEqual(connector);
    expect((await read(connector.slug)).body.data).toEqual(connector);
  });

  it.each([
    ['an unknown id', '7n42DGM5Tflk9n8mt7Fhc7', 400],
    ['a shortened id', '0', 400],
    ['neither id nor slug', 'a-b', 400],
    ['an unknown slug', 'nothing_00000000', 404],
  ])('rejects %s', async (_, id, status) => {
    expect((await read(id)).status).toBe(status);
  });
});

describe('PUT /api/connectors/{id}/base-url', () => {
  const bearer = vendor.credentials.bearer;
  const seen: { url: string; authorization: string | undefined }[] = [];
  const REMOVED = /^The base URL of the connector changed, so the stored secrets were removed\./;
  let elsewhere: Awaited<ReturnType<typeof listenOnLoopback>>;
  let connectorId: string;
  let other: string;

  const set = (baseUrl: unknown, id = connectorId, client: Client = owner): Promise<Reply> =>
    client.request(`/api/connectors/${id}/base-url`, {
      ...{ method: 'PUT', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify(baseUrl === undefined ? {} : { baseUrl }),
    });
  const shown = async (client: Client, id = connectorId) => (await client.request(`/api/connectors/${id}`)).body.data;
  // biome-ignore lint/suspicious/noExplicitAny: data of any shape
  const connected = async (key = 'bearer', credential: any = bearer) =>
    (await connect(owner, key, credential)).body.data;
  const sealedOf = async (instanceId: string): Promise<unknown[]> =>
    queryAsOwner(
      service,
      `select config, session from sealed_credential join credential_metadata c on c.id = credential_id
       where c.instance_id = $1`,
      [decodeId(instanceId)],
    );

  beforeEach(async () => {
    elsewhere ??= await listenOnLoopback((request: IncomingMessage, response) => {
      seen.push({ url: request.url as string, authorization: request.headers.authorization });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"email":"ada@vendor.test"}');
    });
    other = `${elsewhere.origin}/mirror`;
    connectorId = (await offerOf(owner, 'bearer')).connectorId;
    expect((await set(null)).status).toBe(200);
    seen.length = 0;
  });
  afterAll(() => elsewhere.close());

  it('requires authentication', async () => {
    expect((await set(null, connectorId, service)).status).toBe(401);
  });

  it.each(['editor', 'operator', 'viewer'] as const)('rejects an %s', async (role) => {
    expect((await set(null, connectorId, service.as(role))).status).toBe(403);
  });

  it('overrides defaultBaseUrl only in this workspace, for the connector and its connections', async () => {
    await createTestWorkspace(service, 'neighbour');
    const instance = await connected();
    const before = await shown(viewer);
    expect(before.effectiveBaseUrl).toBe(before.defaultBaseUrl);
    const { status, body } = await set(`${other}/`);
    expect([status, body.data]).toEqual([200, { ...before, effectiveBaseUrl: other }]);
    expect(await shown(viewer)).toEqual(body.data);
    expect((await readInstance(viewer, instance)).connector.effectiveBaseUrl).toBe(other);
    expect(await shown(service.as('owner', { slug: 'neighbour' }))).toEqual(before);
    expect((await set(null)).body.data).toEqual(before);
  });

  it('is not cached in a response of /graphql', async () => {
    const query = '{ connectors(limit: 250) { items { id effectiveBaseUrl } } }';
    const ofWorkspace = async () =>
      (await viewer.graphql(query)).body.data.connectors.items.find(({ id }: { id: string }) => id === connectorId);
    for (let request = 0; request < 3; request++) await ofWorkspace();
    await set(other);
    expect(await ofWorkspace()).toEqual({ id: connectorId, effectiveBaseUrl: other });
  });

  it('never sends a previously entered secret to the new host', async () => {
    const instance = await connected();
    expect(await validateCredential(owner, instance)).toMatchObject({ status: 'valid' });
    await set(other);
    const waiting = await readInstance(owner, instance);
    expect(waiting).toMatchObject({
      ...{ connectionStatus: 'manual_validation_required', credentialStatus: 'manual_validation_required' },
      ...{ connectionStatusMessage: expect.stringMatching(REMOVED), hasValidCredentials: false },
    });
    expect([waiting.authenticationConfig, await sealedOf(instance.id)]).toEqual([{}, [{ config: {}, session: null }]]);
    expect(waiting.credentialMetadataId).not.toBe(instance.credentialMetadataId);
    expect(await validateCredential(owner, waiting)).toMatchObject({ success: false });
    expect((await owner.post('/api/connectors/validate', instance)).status).toBe(400);
    expect(seen).toEqual([]);
  });

  it('accepts secrets that are entered again, and sends them to the new host', async () => {
    const { id: instanceId } = await connected();
    await set(other);
    const configure = (authenticationConfig: object) =>
      owner.post('/api/connectors/configure', { instanceId, authenticationConfig });
    const refused = await configure({ token: '' });
    expect([refused.status, refused.body.error]).toEqual([400, 'BAD_REQUEST: authenticationConfig.token is missing.']);
    const token = `entered-again-${newId()}`;
    const { body } = await configure({ token });
    expect(await validateCredential(owner, body.data)).toMatchObject({ status: 'valid' });
    expect(seen).toContainEqual({ url: '/mirror/me', authorization: `Bearer ${token}` });
    expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${token}`]));
  });

  it('removes secrets when the URL is reset, but not when it stays the same', async () => {
    const { id: instanceId } = await connected();
    await set(other);
    await owner.post('/api/connectors/configure', { instanceId, authenticationConfig: { token: newId() } });
    await set(`${other}/`);
    expect(await sealedOf(instanceId)).toEqual([{ config: { token: expect.any(String) }, session: null }]);
    await set(null);
    expect(await sealedOf(instanceId)).toEqual([{ config: {}, session: null }]);
  });

  it('keeps the secrets of a strategy with its own base URL, which does not change', async () => {
    const instance = await connected('own-base');
    expect((await set(other, instance.connector.id)).body.data.effectiveBaseUrl).toBe(other);
    expect(await validateCredential(owner, await readInstance(owner, instance))).toMatchObject({ status: 'valid' });
    expect(seen).toEqual([]);
  });

  it('ends a pending sign-in, and requires secrets before the next sign-in', async () => {
    const credential = provider.credentials.client_secret_basic;
    const instance = await connected('oauth2-auth-code-pkce', credential);
    const end = await signInWithVendor(owner, provider, instance.id);
    await set(other, instance.connector.id);
    expect((await owner.post('/api/connectors/connector-oauth-complete', end)).status).toBe(409);
    expect(await sealedOf(instance.id)).toEqual([{ config: {}, session: null }]);
    const start = (more: object) =>
      owner.post('/api/connectors/connector-oauth-start', { instanceId: instance.id, ...more });
    const refused = await start({});
    expect([refused.status, refused.body.error]).toEqual([
      400,
      'BAD_REQUEST: authenticationConfig.clientSecret is missing.',
    ]);
    expect((await start({ authenticationConfig: credential.authenticationConfig })).status).toBe(200);
    await set(null, instance.connector.id);
  });

  it.each([
    ['without', {}],
    ['with', { 'idempotency-key': 'during-the-change' }],
  ])(
    'rejects a connection whose secrets were entered while the URL changed, %s an Idempotency-Key',
    async (_, once) => {
      await set(null);
      const offer = await offerOf(owner, 'bearer');
      const { tenantId, id } = await queryField(owner, '{ me { id tenantId } }');
      const lock = `select pg_advisory_xact_lock(hashtextextended('connector base url ' || $1 || ' ' || $2, 0))`;
      const transaction = await anOpenTransaction(service);
      await transaction.query(lock, [tenantId, connectorId]);
      const { authenticationConfig } = bearer;
      const connecting = owner.post('/api/connectors', { ...offer, authenticationConfig }, once);
      const waiting = `select from pg_locks where locktype = 'advisory' and not granted and ${IN_THIS_DATABASE}`;
      while ((await queryAsOwner(service, waiting)).length === 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
      await transaction.query(
        `insert into connector_base_url (id, created_at, created_by, updated_at, updated_by, tenant_id, connector_id, base_url)
       values (gen_random_uuid(), now(), $1, now(), $1, $2, $3, $4)`,
        [...[id, tenantId, connectorId].map(decodeId), other],
      );
      await transaction.end('commit');
      const { status, body } = await connecting;
      expect([status, body.error]).toEqual([409, expect.stringMatching(/base URL of the connector has changed/)]);
    },
  );

  it.each([
    'http://api.example.com',
    'https://user@api.example.com',
    'https://user:secret@api.example.com',
    'https://api.example.com/?key=1',
    'https://api.example.com/?',
    'https://api.example.com/#top',
    'https://10.0.0.1',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://api.example.com:25',
    'http://10.0.0.1',
    'ftp://api.example.com',
    'https://{token}.example.com',
    'https://-a.example.com',
    'api.example.com',
    'https://',
    '',
  ])('rejects %j', async (baseUrl) => {
    const { status, body } = await set(baseUrl);
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^BAD_REQUEST: baseUrl must be an HTTPS URL /)]);
    expect((await shown(viewer)).effectiveBaseUrl).toBe(`${vendor.origin}/bearer`);
  });

  it('does not expand templates: braces in a path are literal', async () => {
    expect((await set('https://api.example.com/{token}')).body.data.effectiveBaseUrl).toBe(
      'https://api.example.com/%7Btoken%7D',
    );
  });

  it.each([
    ['no baseUrl', undefined, 400],
    ['a number', 7, 400],
    ['2,001 characters', `https://api.example.com/${'a'.repeat(1_977)}`, 400],
  ])('rejects %s', async (_, baseUrl, status) => {
    expect((await set(baseUrl)).status).toBe(status);
  });

  it('returns 404 for an unknown connector, and 409 for a connector without defaultBaseUrl', async () => {
    expect((await set(null, newId())).status).toBe(404);
    const { connectorId: byHost } = await offerOf(owner, 'subdomain');
    const { status, body } = await set('https://api.example.com', byHost);
    expect([status, body.error]).toEqual([
      409,
      'CONFLICT: The base URL of this connector cannot be set: the connector has no defaultBaseUrl, or it has addressingConfig.host.',
    ]);
    expect((await shown(viewer, byHost)).effectiveBaseUrl).toBeUndefined();
  });
});
