import { signInWithVendor } from '../identity/vendor-sign-in.js';
import type { Client } from '../service/service.js';
import { type ConnectedWorkspace, connect, offerOf, validateCredential } from '../sources/connected-workspace.js';
import { type FakeCredential, withWrongSecretValues } from '../vendors/fake-credential.js';
import { VENDOR_SLUG } from '../vendors/fake-vendor-definitions.js';
import { replyServerError } from '../vendors/vendor-responses.js';

/** A REST request. The operation determines the HTTP method. */
export interface OperationRequest {
  readonly address: string;
  readonly body?: object;
}

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;
type Calls = (path: string) => Promise<OperationRequest[]>;

const SIGN_IN = 'oauth2-auth-code-pkce';

/** Maps each operation to successful calls. Each call creates the connections that it changes or deletes. */
export function connectionRequests({ vendor, provider }: ConnectedWorkspace, owner: Client): Record<string, Calls> {
  const { bearer, custom, 'google-domain-wide-delegation': delegated } = vendor.credentials;
  const client = provider.credentials.client_secret_basic;
  vendor.behave('/custom/me', replyServerError());
  const make = async (...[key, credential, more]: [string, FakeCredential, object?]): Promise<Data> =>
    (await connect(owner, key, credential, more)).body.data;
  const completion = async ({ id }: Data) => signInWithVendor(owner, provider, id);
  let made: Promise<Data[]>;

  async function makeMany(): Promise<Data[]> {
    const [tested, refused, unreached] = [
      await make('bearer', bearer),
      await make('bearer', withWrongSecretValues(bearer)),
      await make('custom', custom),
    ];
    for (const one of [tested, refused, unreached]) await validateCredential(owner, one);
    const signedIn = await make(SIGN_IN, client);
    await owner.post('/api/connectors/connector-oauth-complete', await completion(signedIn));
    const query = 'mutation ($input: SyncJobInput!) { recordSyncJob(input: $input) { id } }';
    await owner.graphql(query, { input: { instanceId: tested.id, externalId: 'run 1', status: 'succeeded' } });
    const others = [
      await make('bearer', bearer, { name: 'Production' }),
      await make('google-domain-wide-delegation', delegated),
    ];
    return [tested, refused, unreached, signedIn, await make(SIGN_IN, client), ...others];
  }
  const many = () => (made ??= makeMany());
  const filled = (path: string, id: string) => path.replace(/\{\w+\}/, id);

  return {
    createConnectorInstance: async (address) => {
      const { authenticationConfig } = bearer;
      return [
        { address, body: { ...(await offerOf(owner, 'bearer')), authenticationConfig, name: 'Production' } },
        { address, body: { ...(await offerOf(owner, SIGN_IN)), authenticationConfig: client.authenticationConfig } },
        { address, body: await anInboundOffer(owner) },
      ];
    },
    configureConnectorInstance: async (address) => {
      const { id: instanceId, credentialMetadataId } = await make('bearer', bearer);
      return [{ address, body: { instanceId, credentialMetadataId, authenticationConfig: {}, name: 'Again' } }];
    },
    setConnectorBaseUrl: async (path) => {
      const address = filled(path, (await offerOf(owner, 'basic')).connectorId);
      return ['https://api.example.com/v2', null].map((baseUrl) => ({ address, body: { baseUrl } }));
    },
    updateConnectorInstance: async (path) => {
      const address = filled(path, (await make('bearer', bearer)).id);
      return [{ name: 'Renamed' }, { name: null }, { enabled: false, schedulePaused: true }].map((body) => ({
        address,
        body,
      }));
    },
    deleteConnectorInstance: async (path) => [{ address: filled(path, (await make('bearer', bearer)).id) }],
    connectorOauthStart: async (address) => [{ address, body: { instanceId: (await make(SIGN_IN, client)).id } }],
    connectorOauthComplete: async (address) => [{ address, body: await completion(await make(SIGN_IN, client)) }],
    validateCredentials: async (address) =>
      (await many()).slice(0, 3).map(({ credentialMetadataId }) => ({ address, body: { credentialMetadataId } })),
    tenantConnectorInstancesForVendor: async (path) => {
      await many();
      const pages = ['', '?limit=1&offset=1', '?offset=1', '?limit=250'];
      const addresses = [VENDOR_SLUG, 'github', 'nothing'].map((slug) => filled(path, slug));
      return addresses.flatMap((address) => pages.map((query) => ({ address: address + query })));
    },
    tenantConnectorInstances: async (path) => {
      await many();
      return ['', '?limit=1', '?offset=1000'].map((query) => ({ address: path + query }));
    },
    syncJobs: async (path) =>
      (await many()).flatMap(({ id }) => ['', '?limit=1'].map((query) => ({ address: filled(path, id) + query }))),
    tenantConnectorInstance: async (path) => (await many()).map(({ id }) => ({ address: filled(path, id) })),
    tenantConnectorCredentialDetail: async (path) =>
      (await many()).flatMap(({ id, credentialMetadataId }) => [
        { address: `${path}?instanceId=${id}` },
        { address: `${path}?credentialMetadataId=${credentialMetadataId}` },
      ]),
  };
}

/** Returns those groupings of a bundled vendor that offer a connector. */
async function offersOf(client: Client, vendorSlug: string): Promise<Data[]> {
  const { body } = await client.request(`/api/vendors/platform-vendor-groupings/${vendorSlug}`);
  const withDescendants = (nodes: Data[]): Data[] =>
    nodes.flatMap((node) => [node, ...withDescendants(node.groupings)]);
  return withDescendants(body.data).filter(({ connectorId }) => connectorId);
}

/** Returns a connector that receives pushed records and therefore requires no credentials. */
export async function anInboundOffer(client: Client): Promise<{ connectorId: string; groupingId: string }> {
  const offers = await offersOf(client, 'github');
  const { id: groupingId, connectorId } = offers.find((one) => one.supportedAuthStrategies.length === 0);
  return { connectorId, groupingId };
}

/** Returns the request body that creates a connection with an API key. */
export async function anApiKeyConnection(client: Client): Promise<object> {
  const offers = await offersOf(client, 'linear');
  const { id: groupingId, connectorId, supportedAuthStrategies } = offers.find((one) => one.supportedAuthStrategies[0]);
  const [{ id: authenticationStrategyId }] = supportedAuthStrategies;
  return { connectorId, groupingId, authenticationStrategyId, authenticationConfig: { apiKey: 'x' } };
}
