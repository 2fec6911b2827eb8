import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { ConnectorDefinition, InboundStrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import { aConfigSchema, aConnector, anInboundStrategy, aTap } from '../catalog/definition-builders.js';
import { canaryValue } from '../secrets/canary-values.js';
import { queryField } from '../service/callers.js';
import type { Client } from '../service/service.js';
import { withConnectionLoss } from '../sources/exercise-connections.js';
import { aToken, revokeToken, rotateToken } from './ingest-tokens.js';

type Headers = Record<string, string>;

interface SenderSort {
  readonly strategy: Partial<InboundStrategyDefinition>;
  readonly secret?: () => string;
  readonly prove: (body: string, secret: string) => Headers;
}

const USERNAME = 'sender';
const SIGNED = { signatureHeader: 'X-Signature', signatureBase: '{body}' };
const signedWith = (algorithm: 'sha1' | 'sha256' | 'sha512'): SenderSort => ({
  strategy: { verificationType: `hmac_${algorithm}`, ...SIGNED },
  prove: (body, secret) => ({ 'x-signature': createHmac(algorithm, secret).update(body).digest('hex') }),
});

const SORTS: Record<string, SenderSort> = {
  'sender-token': {
    strategy: { verificationType: 'shared_token', signatureHeader: 'X-Token', handshakeKind: 'echo_query_param' },
    prove: (_, secret) => ({ 'x-token': secret }),
  },
  'sender-basic': {
    strategy: { verificationType: 'basic' },
    prove: (_, secret) => ({
      authorization: `Basic ${Buffer.from(`${USERNAME}:${secret}`).toString('base64')}`,
    }),
  },
  'sender-sha1': signedWith('sha1'),
  'sender-sha256': signedWith('sha256'),
  'sender-sha512': signedWith('sha512'),
  'sender-standard': {
    strategy: { verificationType: 'standard_webhooks' },
    secret: () => `whsec_${Buffer.from(canaryValue()).toString('base64')}`,
    prove: (body, secret) => {
      const id = canaryValue();
      const now = new Date();
      const signature = new Webhook(secret).sign(id, now, body);
      return {
        ...{ 'webhook-id': id, 'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)) },
        'webhook-signature': signature,
      };
    },
  },
};

export function senderConnectors(): ConnectorDefinition[] {
  const text = { type: 'string', secret: true };
  return Object.entries(SORTS).map(([key, { strategy }]) => {
    const fields = { key: text, formerKey: text, verifyToken: text, username: { type: 'string' } };
    const configSchema = { ...aConfigSchema(fields), required: ['key'] };
    return aConnector({
      ...{ key, name: `Loopback ${key}`, integrationClass: 'collector', protocolType: 'webhook' },
      ...{ defaultBaseUrl: undefined, supportedAuthStrategies: [] },
      inboundAuthStrategies: [anInboundStrategy({ key, ...strategy, configSchema })],
      taps: [aTap({ name: 'events', sync: { mode: 'push' }, transportOptions: [], dataKind: 'event' })],
    });
  });
}

interface Use {
  readonly service: { databaseUrl: string };
  readonly editor: Client;
  /** A client without authentication. */
  readonly sender: Client;
}

/** Returns the secrets and tokens, which the service must not reveal. */
export async function exerciseEndpoints(use: Use): Promise<{ secret: Set<string>; tokens: string[] }> {
  const secret = new Set<string>();
  const tokens: string[] = [];
  for (const [key, sort] of Object.entries(SORTS)) {
    const make = sort.secret ?? canaryValue;
    const config = { key: make(), formerKey: make(), verifyToken: canaryValue() };
    for (const text of [config.key, config.formerKey, config.verifyToken]) secret.add(text);
    const tap = await aTapOf(use.editor, key, config);
    const { token, ingestToken } = await aToken(use.editor, tap.id);
    const wrong = make();
    secret.add(wrong);
    for (const known of [config.key, config.formerKey, wrong]) await deliver(use.sender, token, sort, known);
    await use.sender.request(
      `/ingest/${token}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=${config.verifyToken}`,
    );
    const renewed = {
      instanceId: tap.instanceId,
      authenticationConfig: { ...config, username: USERNAME, key: make() },
    };
    secret.add(renewed.authenticationConfig.key);
    const { status, text } = await use.editor.post('/api/connectors/configure', renewed);
    if (status !== 200) throw new Error(text);
    await deliver(use.sender, token, sort, renewed.authenticationConfig.key);
    const { body } = await rotateToken(use.editor, ingestToken.id);
    tokens.push(token, body.data.token);
    await revokeToken(use.editor, ingestToken.id);
    await showEverywhere(use, token);
    await deliver(use.sender, body.data.token, sort, renewed.authenticationConfig.key);
    await showEverywhere(use, body.data.token);
    if (key === 'sender-token')
      await deliverWithoutDatabase(use, body.data.token, sort.prove('', renewed.authenticationConfig.key));
  }
  return { secret, tokens };
}

async function aTapOf(editor: Client, key: string, config: object): Promise<{ id: string; instanceId: string }> {
  const { body } = await editor.request('/api/vendors/platform-vendor-groupings/loopback');
  // biome-ignore lint/suspicious/noExplicitAny: data of any shape
  const grouping = body.data.find(({ slug }: any) => slug === key);
  const connected = await editor.post('/api/connectors', {
    ...{ connectorId: grouping.connectorId, groupingId: grouping.id },
    authenticationStrategyId: grouping.supportedInboundAuthStrategies[0].id,
    authenticationConfig: { ...config, username: USERNAME },
  });
  if (connected.status !== 200) throw new Error(connected.text);
  const instanceId = connected.body.data.id;
  const { items } = await queryField(editor, `{ tenantConnectorTaps(instanceId: "${instanceId}") { items { id } } }`);
  return { id: items[0].id, instanceId };
}

async function deliver(sender: Client, token: string, { prove }: SenderSort, secret: string): Promise<void> {
  for (const body of [`[{"id": 1}, {"id": "${canaryValue()}"}]`, '{"id": ']) {
    const headers = { 'content-type': 'application/json', ...prove(body, secret) };
    await sender.request(`/ingest/${token}`, { method: 'POST', body, headers });
  }
}

/** Sends the token in paths, queries, headers and bodies, including places where the service expects no token. */
async function showEverywhere({ sender, editor }: Use, token: string): Promise<void> {
  const post = (path: string, headers: Headers = {}) =>
    sender.request(path, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', ...headers } });
  for (const path of [`/ingest/${token}/more`, `/${token}`, `/graphql/${token}`, `/oauth/callback/demo/${token}`])
    await post(path);
  for (const method of ['PUT', 'GET', 'DELETE']) await sender.request(`/ingest/${token}?${token}`, { method });
  await post('/ingest', { authorization: `Bearer ${token}`, 'x-tenant': token, 'x-request-id': token });
  await editor.request(`/api/ingest-tokens/${token}`, { method: 'DELETE' });
  await editor.request(`/api/ingest-tokens?tenantConnectorTapId=${token}`);
  await editor.post('/api/ingest-tokens', { tenantConnectorTapId: token, expiresAt: token });
  await editor.graphql('mutation ($id: Base62Id!) { revokeIngestToken(id: $id) }', { id: token });
}

/** Terminates the database connection during the transaction that stores the records. */
async function deliverWithoutDatabase({ service, sender }: Use, token: string, proof: Headers): Promise<void> {
  const body = JSON.stringify({ id: 1, text: canaryValue() });
  const headers = { 'content-type': 'application/json', ...proof };
  const { status, text } = await withConnectionLoss(service, 'ingest_batch', () =>
    sender.request(`/ingest/${token}`, { method: 'POST', body, headers }),
  );
  if (status !== 503) throw new Error(`${status}: ${text}`);
}
