import { type ConnectedWorld, connect, offerOf, validate } from './connections.js';
import { type PlayedCredential, wrongOf } from './played-credential.js';
import type { Client } from './service.js';
import { signInWithVendor } from './sign-in-end.js';
import { down } from './vendor-behaviours.js';
import { VENDOR_SLUG } from './vendor-definitions.js';

/** A request to the REST interface; its method is that of the operation. */
export interface Call {
  readonly address: string;
  readonly body?: object;
}

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;
type Calls = (path: string) => Promise<Call[]>;

const SIGN_IN = 'oauth2-auth-code-pkce';

/** Calls that succeed, for every operation on connections: each makes anew what it uses up. */
export function connectionCalls({ vendor, provider }: ConnectedWorld, owner: Client): Record<string, Calls> {
  const { bearer, custom, 'google-domain-wide-delegation': delegated } = vendor.credentials;
  const client = provider.credentials.client_secret_basic;
  vendor.behave('/custom/me', down());
  const make = async (...[key, credential, more]: [string, PlayedCredential, object?]): Promise<Data> =>
    (await connect(owner, key, credential, more)).body.data;
  const completion = async ({ id }: Data) => signInWithVendor(owner, provider, id);
  let made: Promise<Data[]>;

  /** In many states. */
  async function makeMany(): Promise<Data[]> {
    const [tested, refused, unreached] = [
      await make('bearer', bearer),
      await make('bearer', wrongOf(bearer)),
      await make('custom', custom),
    ];
    for (const one of [tested, refused, unreached]) await validate(owner, one);
    const signedIn = await make(SIGN_IN, client);
    await owner.post('/api/connectors/connector-oauth-complete', await completion(signedIn));
    const question = 'mutation ($input: SyncJobInput!) { recordSyncJob(input: $input) { id } }';
    await owner.graphql(question, { input: { instanceId: tested.id, externalId: 'run 1', status: 'succeeded' } });
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
        { address, body: await aPushedOffer(owner) },
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
    tenantConnectorInstance: async (path) => (await many()).map(({ id }) => ({ address: filled(path, id) })),
    tenantConnectorCredentialDetail: async (path) =>
      (await many()).flatMap(({ id, credentialMetadataId }) => [
        { address: `${path}?instanceId=${id}` },
        { address: `${path}?credentialMetadataId=${credentialMetadataId}` },
      ]),
  };
}

/** A connector that is sent to, and so takes no credentials. */
export async function aPushedOffer(owner: Client): Promise<{ connectorId: string; groupingId: string }> {
  const { body } = await owner.request('/api/vendors/platform-vendor-groupings/github');
  const leaves = (nodes: Data[]): Data[] => nodes.flatMap((node) => [node, ...leaves(node.groupings)]);
  const { id: groupingId, connectorId } = leaves(body.data).find(
    (one) => one.connectorId && one.supportedAuthStrategies.length === 0,
  );
  return { connectorId, groupingId };
}
