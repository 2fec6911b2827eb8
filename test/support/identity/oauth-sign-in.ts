import type { Client, Reply } from '../service/service.js';
import { connect } from '../sources/connected-workspace.js';
import { codeStrategyKey } from '../vendors/vendor-strategies.js';
import type { ClientAuthMethod, OAuthProvider } from './oauth-provider.js';

/** Redirect URI of a customer's application, registered with the provider. */
export const APP_REDIRECT_URI = 'https://client.test/callback';

export interface SignIn {
  readonly authorizeUrl: string;
  readonly state: string;
  /** Cookie of the browser that started the sign-in, as `name=value`. */
  readonly cookie: string;
  readonly redirectUri: string;
}

type Instance = { readonly id: string };

export async function aPendingConnection(
  client: Client,
  provider: OAuthProvider,
  method: ClientAuthMethod,
  // biome-ignore lint/suspicious/noExplicitAny: data of any shape
): Promise<any> {
  const strategyKey = codeStrategyKey(method);
  const { body } = await connect(client, 'oauth2-auth-code-pkce', provider.credentials[method], { strategyKey });
  return body.data;
}

export function startSignIn(client: Client, { id }: Instance, more: object = {}): Promise<Reply> {
  return client.post('/api/connectors/connector-oauth-start', { instanceId: id, ...more });
}

/** By default, the sign-in ends at a page of the service. `more` may contain a `redirectUri`. */
export async function beginSignIn(client: Client, instance: Instance, more: object = {}): Promise<SignIn> {
  const { status, text, body, headers } = await startSignIn(client, instance, more);
  if (status !== 200) throw new Error(text);
  const { authorizeUrl, state } = body.data;
  const redirectUri = new URL(authorizeUrl).searchParams.get('redirect_uri') as string;
  return { authorizeUrl, state, redirectUri, cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

/** Signs in with the vendor and consents. Returns the redirect URL with its parameters. */
export async function approveSignIn(provider: OAuthProvider, { authorizeUrl, redirectUri }: SignIn): Promise<URL> {
  await provider.allowRedirect(redirectUri);
  return provider.authorize(authorizeUrl);
}

/** Returns the URL of the redirect to the customer's application. Does not open this URL. */
export async function signInByApp(
  client: Client,
  provider: OAuthProvider,
  instance: Instance,
  more: object = {},
): Promise<URL> {
  return approveSignIn(provider, await beginSignIn(client, instance, { redirectUri: APP_REDIRECT_URI, ...more }));
}

/** Does not open `back`, the URL of the redirect to the page of the service. */
export async function signInByPage(
  client: Client,
  provider: OAuthProvider,
  instance: Instance,
): Promise<SignIn & { readonly back: URL }> {
  const signIn = await beginSignIn(client, instance);
  return { ...signIn, back: await approveSignIn(provider, signIn) };
}

/** Sends the parameters of the redirect URL, overridden by `changes`. */
export function completeSignIn(client: Client, { searchParams }: URL, changes: object = {}): Promise<Reply> {
  const { code, state, error, ...params } = Object.fromEntries(searchParams);
  const sent = { state, ...(code && { code }), ...(error && { error }), params, ...changes };
  return client.post('/api/connectors/connector-oauth-complete', sent);
}

export interface BrowserPage {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly title: string | undefined;
}

export async function openPage(
  address: string | URL,
  init: RequestInit & { cookie?: string } = {},
): Promise<BrowserPage> {
  const { cookie, headers, ...rest } = init;
  const reply = await fetch(address, { ...rest, headers: { ...(headers as object), ...(cookie && { cookie }) } });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, text, title: /<title>(.*)<\/title>/.exec(text)?.[1] };
}

export async function statusAndTitle(
  ...request: Parameters<typeof openPage>
): Promise<[status: number, title: string | undefined]> {
  const { status, title } = await openPage(...request);
  return [status, title];
}

export const ENDED_PAGE = [400, 'This sign-in cannot be completed'];
export const CONNECTED_PAGE = [200, 'Loopback oauth2-auth-code-pkce is connected'];
export const CONSENT_PAGE = [200, 'Connect Loopback oauth2-auth-code-pkce?'];

export async function allowRedirectUris(owner: Client, oauthRedirectUris: string[]): Promise<void> {
  const query = 'mutation ($input: WorkspaceInput!) { updateWorkspace(input: $input) { oauthRedirectUris } }';
  const { body } = await owner.graphql(query, { input: { oauthRedirectUris } });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
}

export function changeUrl(address: string | URL, change: (url: URL) => void): URL {
  const url = new URL(address);
  change(url);
  return url;
}

/** Includes rejected codes. */
export function countCodeExchanges({ exchanges }: OAuthProvider): number {
  return exchanges.filter(({ grantType }) => grantType === 'authorization_code').length;
}
