import { afterAll } from 'vitest';
import type { ConnectorDefinition } from '../../../src/catalog/definitions/definition.js';
import { anOAuthProvider, type OAuthProvider } from '../identity/oauth-provider.js';
import { aKeptService, aService, type Client, type Reply, type TestService } from '../service/service.js';
import type { FakeCredential } from '../vendors/fake-credential.js';
import { aCatalogFolder, fakeVendorDefinitions, VENDOR_SLUG } from '../vendors/fake-vendor-definitions.js';
import { aFakeVendorServer, type FakeVendorServer } from '../vendors/fake-vendor-server.js';
import { giveBackWorld, LOOPBACK_ALLOWED, takeKeptWorld } from './kept-world.js';

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;

export interface ConnectedWorkspace {
  readonly service: TestService;
  readonly vendor: FakeVendorServer;
  readonly provider: OAuthProvider;
}

interface WorldOptions {
  readonly log?: NodeJS.WritableStream;
  readonly hostileIssuer?: string;
  readonly more?: (at: { origin: string; issuer: string }) => readonly ConnectorDefinition[];
}

/** Without `env` and `options`, reuses the service and the vendor ports of earlier test files, if there are any. */
export async function aConnectedWorkspace(
  env?: Record<string, string>,
  options?: WorldOptions,
): Promise<ConnectedWorkspace> {
  return env || options ? startConnectedWorkspace(env, options) : keptConnectedWorkspace();
}

async function keptConnectedWorkspace(): Promise<ConnectedWorkspace> {
  const world = await takeKeptWorld();
  const { vendorPort, providerPort } = world;
  const provider = await anOAuthProvider({ listen: (listener) => providerPort.listen(listener) });
  const vendor = await aFakeVendorServer({ provider, listen: (listener) => vendorPort.listen(listener) });
  const service = aKeptService(world.services);
  afterAll(async () => {
    await Promise.all([vendor.close(), provider.close()]);
    giveBackWorld(world);
  });
  return { service, vendor, provider };
}

async function startConnectedWorkspace(
  env: Record<string, string> = {},
  { log, hostileIssuer, more }: WorldOptions = {},
): Promise<ConnectedWorkspace> {
  const provider = await anOAuthProvider();
  const vendor = await aFakeVendorServer({ provider });
  const definitions = fakeVendorDefinitions(vendor.origin, {
    issuer: provider.issuer,
    ...(hostileIssuer && { hostileIssuer }),
    ...(more && { more: more({ origin: vendor.origin, issuer: provider.issuer }) }),
  });
  const catalog = await aCatalogFolder(definitions);
  const service = aService({ CATALOG_DIR: catalog.folder, ...LOOPBACK_ALLOWED, ...env }, log as never);
  afterAll(async () => {
    await Promise.all([vendor.close(), provider.close(), catalog.remove()]);
  });
  return { service, vendor, provider };
}

const groupings = new WeakMap<Client, Data[]>();

/** Requested once per client, because the catalog of a service changes only at its start. */
async function groupingsFor(client: Client): Promise<Data[]> {
  const known = groupings.get(client);
  if (known) return known;
  const { body } = await client.request(`/api/vendors/platform-vendor-groupings/${VENDOR_SLUG}`);
  groupings.set(client, body.data);
  return body.data;
}

/** `key` is the key of a connector of the fake vendor. */
export async function offerOf(
  client: Client,
  key: string,
  strategyKey = key,
): Promise<{ connectorId: string; groupingId: string; authenticationStrategyId: string }> {
  const grouping = (await groupingsFor(client)).find(({ slug }) => slug === key);
  const strategy = grouping.supportedAuthStrategies.find(({ label }: Data) => label === strategyKey);
  const { id: authenticationStrategyId } = strategy ?? grouping.supportedAuthStrategies[0];
  return { connectorId: grouping.connectorId, groupingId: grouping.id, authenticationStrategyId };
}

export async function connect(
  client: Client,
  key: string,
  { authenticationConfig, ingestionConfig }: FakeCredential,
  { strategyKey, ...more }: { strategyKey?: string; name?: string } = {},
): Promise<Reply> {
  const offer = await offerOf(client, key, strategyKey);
  const config = { authenticationConfig, ...(ingestionConfig && { ingestionConfig }) };
  return client.post('/api/connectors', { ...offer, ...config, ...more });
}

export async function validateCredential(client: Client, { credentialMetadataId }: Data): Promise<Data> {
  const { body, status } = await client.post('/api/connectors/validate', { credentialMetadataId });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
}

export async function getInstance(client: Client, { id }: Data): Promise<Data> {
  return (await client.request(`/api/vendors/tenant-connector-instances/${id}`)).body.data;
}
