import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { aConfigSchema, type aConnector, anInboundStrategy } from '../../../support/catalog/definition-builders.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { withSenders } from '../../../support/ingest/stored-senders.js';
import { findLeaks } from '../../../support/secrets/find-leaks.js';
import { queryField } from '../../../support/service/callers.js';
import {
  aConnectedWorkspace,
  getInstance,
  offerOf,
  validateCredential,
} from '../../../support/sources/connected-workspace.js';
import { aFakeVendorConnector, VENDOR_SLUG } from '../../../support/vendors/fake-vendor-definitions.js';

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;

const SECRET = { type: 'string', secret: true };
const SIGNED = { signatureHeader: 'X-Signature', signatureBase: '{body}' } as const;

const { service, vendor } = await aConnectedWorkspace({}, { more: () => [aReceivingConnector()] });
const editor = service.as('editor');
const signingSecret = 'canary-of-the-signing-secret';

let ids: Record<string, string>;
let offer: { connectorId: string; groupingId: string };
beforeEach(async () => {
  const { body } = await editor.request(`/api/vendors/platform-vendor-groupings/${VENDOR_SLUG}`);
  const grouping = body.data.find(({ slug }: Data) => slug === 'received');
  offer = { connectorId: grouping.connectorId, groupingId: grouping.id };
  ids = Object.fromEntries(grouping.supportedInboundAuthStrategies.map(({ label, id }: Data) => [label, id]));
});

describe('an inbound connection', () => {
  it('stores the secret of an inbound strategy, pending its first delivery', async () => {
    const instance = await connected('signed', { signingSecret });
    expect(instance).toMatchObject({
      connectionStatus: 'manual_validation_required',
      connectionStatusMessage: expect.stringContaining('first delivery'),
      hasValidCredentials: false,
      credentialStatus: 'manual_validation_required',
      authenticationConfig: { signingSecret: '' },
    });
    expect(instance.authenticationStrategy).toBeUndefined();
    const [{ inboundAuthStrategy }] = await listed(instance);
    expect(inboundAuthStrategy).toMatchObject({ id: ids.signed, label: 'signed', verificationType: 'hmac_sha256' });
    expect((await getInstance(editor, instance)).inboundAuthStrategy).toEqual(inboundAuthStrategy);
    expect(instance.inboundAuthStrategy).toEqual(inboundAuthStrategy);
    expect(await strategiesOf(instance)).toEqual({
      authenticationStrategy: null,
      inboundAuthStrategy: { label: 'signed' },
      credentials: [{ strategy: null, inboundAuthStrategy: { label: 'signed' }, status: 'manual_validation_required' }],
    });
  });

  it('requires no secret for a strategy that does not verify senders, and reports this', async () => {
    const instance = await connected('open', {});
    const { message, remediation } = await detailOf(instance);
    expect(message).toMatch(/does not verify senders: the ingest token alone authorizes deliveries/);
    expect(remediation).toMatch(/^Configure the sender with the ingest URL/);
    expect(instance.connectionStatusMessage).toBe(`${message} ${remediation}`);
    expect((await validateCredential(editor, instance)).message).toBe(message);
    await withSenders(service, instance, ({ markVerified }) => markVerified(instance.credentialMetadataId));
    expect((await detailOf(instance)).message).toMatch(/^A delivery arrived\. The strategy does not verify senders/);
  });

  it('is not tested by a job, and a requested test reports that no delivery has arrived', async () => {
    const instance = await connected('signed', { signingSecret });
    expect(await validateCredential(editor, instance)).toMatchObject({
      ...{ status: 'manual_validation_required', success: false, message: expect.stringContaining('first delivery') },
      details: { remediation: expect.stringContaining('ingest URL') },
    });
    expect((await getInstance(editor, instance)).credentialStatus).toBe('manual_validation_required');
    const jobs = "select id from taproot_jobs.job where data->>'credentialId' = $1";
    expect(await queryAsOwner(service, jobs, [instance.credentialMetadataId])).toEqual([]);
  });

  it('returns the next step in its credential detail', async () => {
    const instance = await connected('signed', { signingSecret });
    expect(await detailOf(instance)).toMatchObject({
      ...{ status: 'manual_validation_required', message: expect.stringContaining('first delivery') },
      remediation: expect.stringContaining('ingest URL'),
    });
  });

  it('becomes valid with the first verified delivery, which it records once', async () => {
    const instance = await connected('signed', { signingSecret });
    const { credentialMetadataId } = instance;
    await withSenders(service, instance, async ({ markVerified }) => {
      await Promise.all([markVerified(credentialMetadataId), markVerified(credentialMetadataId)]);
      await markVerified(credentialMetadataId);
    });
    expect(await getInstance(editor, instance)).toMatchObject({ connectionStatus: 'idle', hasValidCredentials: true });
    expect(await detailOf(instance)).toMatchObject({
      status: 'valid',
      message: 'A delivery was verified with the credential.',
    });
    expect((await detailOf(instance)).remediation).toBeUndefined();
    expect(await validateCredential(editor, instance)).toMatchObject({ status: 'valid', success: true });
    const { credentials } = await instanceOf(instance, 'credentials { validations { trigger status } }');
    expect(credentials[0].validations).toEqual([
      { trigger: 'requested', status: 'valid' },
      { trigger: 'delivered', status: 'valid' },
    ]);
  });

  it('accepts no delivery verified with a replaced credential', async () => {
    const instance = await connected('signed', { signingSecret });
    await configure(instance, { authenticationConfig: { signingSecret: 'another' } });
    await withSenders(service, instance, ({ markVerified }) => markVerified(instance.credentialMetadataId));
    expect((await getInstance(editor, instance)).credentialStatus).toBe('manual_validation_required');
    expect((await editor.post('/api/connectors/validate', instance.ofCredential)).status).toBe(409);
  });

  it('uses its secrets to verify deliveries, and reveals them in no response, log or table', async () => {
    const instance = await connected('signed', { signingSecret, previousSecret: 'canary-of-the-old-secret' });
    const loaded = await withSenders(service, instance, ({ load }) => load());
    expect(loaded).toMatchObject({
      config: { signingSecret, previousSecret: 'canary-of-the-old-secret' },
      strategy: { verificationType: 'hmac_sha256', signatureFormat: { encoding: 'base64' } },
      credentialId: instance.credentialMetadataId,
    });
    const shown = [
      instance,
      await getInstance(editor, instance),
      await detailOf(instance),
      await strategiesOf(instance),
    ];
    const stored = await queryAsOwner(
      service,
      'select sealed_credential::text, i::text as i from sealed_credential, tenant_connector_instance i',
    );
    expect(findLeaks(JSON.stringify([shown, stored]), [signingSecret, 'canary-of-the-old-secret'])).toEqual([]);
  });

  it('keeps an omitted secret, clears a null secret, and discards secrets of another strategy', async () => {
    const instance = await connected('signed', { signingSecret, previousSecret: 'old' });
    const configOf = async () => withSenders(service, instance, async ({ load }) => ((await load()) as Data).config);
    await configure(instance, { authenticationConfig: { previousSecret: null } });
    expect(await configOf()).toEqual({ signingSecret });
    const { status, body } = await configure(instance, {
      ...{ authenticationStrategyId: ids.token, authenticationConfig: { signingSecret: '' } },
    });
    expect([status, body.error]).toEqual([400, 'BAD_REQUEST: authenticationConfig.signingSecret is missing.']);
  });

  it('can be created without a strategy, and rejects deliveries until it has a strategy', async () => {
    const instance = (await editor.post('/api/connectors', offer)).body.data;
    expect(instance).toMatchObject({
      connectionStatus: 'manual_validation_required',
      connectionStatusMessage: expect.stringContaining('Choose how senders are verified'),
      hasValidCredentials: false,
    });
    expect(await withSenders(service, instance, ({ load }) => load())).toBe('not configured');
    const { status, body } = await configure(instance, { authenticationConfig: {} });
    expect([status, body.error]).toEqual([400, expect.stringContaining('authenticationStrategyId is required')]);
    const chosen = { authenticationStrategyId: ids.signed, authenticationConfig: { signingSecret } };
    expect((await configure(instance, chosen)).status).toBe(200);
    expect(await withSenders(service, instance, ({ load }) => load())).toMatchObject({ config: { signingSecret } });
  });

  it('requires no secret for a strategy without verification', async () => {
    const instance = await connected('open', {});
    expect(instance.credentialStatus).toBe('manual_validation_required');
    expect(await withSenders(service, instance, ({ load }) => load())).toMatchObject({
      ...{ config: {}, strategy: { verificationType: 'none' } },
    });
  });

  it.each([
    ['signed', {}, 'authenticationConfig.signingSecret is missing.'],
    ['signed', { signingSecret: null }, 'authenticationConfig.signingSecret is missing.'],
    ['signed', { signingSecret: 'x', other: 'canary' }, 'authenticationConfig has no field "other".'],
    [
      'public key',
      { publicKey: 'canary' },
      'authenticationConfig.publicKey is malformed. It must be an Ed25519 public key',
    ],
    [
      'public key',
      { publicKey: privateKey() },
      'authenticationConfig.publicKey is malformed. It must be an Ed25519 public key',
    ],
  ])('rejects unusable secrets: %s %j', async (label, authenticationConfig, message) => {
    const { status, body, text } = await connect(label, authenticationConfig);
    expect([status, body.error]).toEqual([400, expect.stringContaining(`BAD_REQUEST: ${message}`)]);
    expect(text).not.toContain('canary');
  });

  it('rejects the strategy of another connector, and does not support a sign-in', async () => {
    const bearer = await offerOf(editor, 'bearer');
    const foreign = { ...bearer, authenticationStrategyId: ids.signed, authenticationConfig: { signingSecret } };
    expect((await editor.post('/api/connectors', foreign)).status).toBe(404);
    const { id } = await connected('signed', { signingSecret });
    expect((await editor.post('/api/connectors/connector-oauth-start', { instanceId: id })).status).toBe(409);
  });

  it('loses its secrets when the connection is deleted', async () => {
    const instance = await connected('signed', { signingSecret });
    await queryField(service.as('admin'), 'mutation ($id: Base62Id!) { deleteConnectorInstance(id: $id) }', {
      id: instance.id,
    });
    await expect(withSenders(service, instance, ({ load }) => load())).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('an outbound connection', () => {
  it('has no senders', async () => {
    const { authenticationConfig } = vendor.credentials.bearer;
    const { body } = await editor.post('/api/connectors', {
      ...(await offerOf(editor, 'bearer')),
      authenticationConfig,
    });
    expect(await withSenders(service, body.data, ({ load }) => load())).toBeUndefined();
  });
});

function aReceivingConnector(): ReturnType<typeof aConnector> {
  const two = aConfigSchema({ signingSecret: SECRET, previousSecret: SECRET });
  return aFakeVendorConnector('received', {
    integrationClass: 'collector',
    protocolType: 'webhook',
    supportedAuthStrategies: [],
    inboundAuthStrategies: [
      anInboundStrategy({
        ...{ key: 'signed', label: 'signed', verificationType: 'hmac_sha256', ...SIGNED },
        ...{ signatureFormat: { encoding: 'base64' }, configSchema: { ...two, required: ['signingSecret'] } },
      }),
      anInboundStrategy({
        ...{ key: 'token', label: 'token', verificationType: 'shared_token', signatureHeader: 'X-Token' },
        configSchema: two,
      }),
      anInboundStrategy({
        ...{ key: 'public-key', label: 'public key', verificationType: 'ed25519', ...SIGNED },
        configSchema: aConfigSchema({ publicKey: SECRET }),
      }),
      anInboundStrategy({ key: 'open', label: 'open' }),
    ],
  });
}

function privateKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
}

function connect(label: string, authenticationConfig: object) {
  return editor.post('/api/connectors', { ...offer, authenticationStrategyId: ids[label], authenticationConfig });
}

async function connected(label: string, authenticationConfig: object): Promise<Data> {
  const { status, body } = await connect(label, authenticationConfig);
  expect([status, body.error]).toEqual([200, undefined]);
  const { credentialMetadataId } = body.data;
  return Object.defineProperty(body.data, 'ofCredential', { value: { credentialMetadataId } });
}

function configure({ id }: Data, config: object) {
  return editor.post('/api/connectors/configure', { instanceId: id, ...config });
}

async function listed({ id }: Data): Promise<Data[]> {
  const { body } = await editor.request(`/api/vendors/tenant-connector-instances-for-vendors/${VENDOR_SLUG}`);
  return body.data.filter((one: Data) => one.id === id);
}

async function detailOf({ id }: Data): Promise<Data> {
  return (await editor.request(`/api/vendors/tenant-connector-credential-detail?instanceId=${id}`)).body.data;
}

function instanceOf({ id }: Data, fields: string): Promise<Data> {
  return queryField(editor, `query ($id: Base62Id!) { tenantConnectorInstance(id: $id) { ${fields} } }`, { id });
}

function strategiesOf(instance: Data): Promise<Data> {
  const each = 'inboundAuthStrategy { label }';
  return instanceOf(
    instance,
    `authenticationStrategy { type } ${each} credentials { strategy { type } ${each} status }`,
  );
}
