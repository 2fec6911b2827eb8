import { canaryValue } from '../secrets/canary-values.js';
import { listenOnLoopback } from '../servers/loopback.js';
import type { Client } from '../service/service.js';
import { connect } from '../sources/connected-workspace.js';
import type { OAuthProvider } from './oauth-provider.js';

/** `parameters` override the parameters of the client's authorization request. */
interface Relay {
  readonly authorizeUrl: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface HostileProvider {
  readonly issuer: string;
  /**
   * Authorization codes that the token endpoint has received. After a successful attack, they include a code of
   * another provider.
   */
  readonly codes: readonly string[];
  /** Forms that the token endpoint has received. A leaked `client_secret` or `code_verifier` would appear here. */
  readonly forms: readonly Readonly<Record<string, string>>[];
  /** Makes the authorization endpoint redirect to an honest provider (mix-up attack, RFC 9207, section 1). */
  relayTo(relay: Relay): void;
  /** Makes the authorization endpoint redirect to the client with the client's state and these parameters. */
  redirectBackWith(parameters: Readonly<Record<string, string>>): void;
  /** Makes the token endpoint return the values of the submitted form as the granted scopes. */
  echoFormAsScopes(): void;
  close(): Promise<void>;
}

/** Starts an authorization server that behaves correctly until a test makes it hostile. */
export async function aHostileProvider(): Promise<HostileProvider> {
  const codes: string[] = [];
  const forms: Record<string, string>[] = [];
  let redirect: (requested: URLSearchParams) => URL;
  let scopesOf = (_: Record<string, string>): object => ({});

  const { origin: issuer, close } = await listenOnLoopback(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url as string, issuer);
    if (pathname === '/auth') {
      response.writeHead(303, { location: redirect(searchParams).href }).end();
      return;
    }
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(await request.toArray()).toString()));
    forms.push(form);
    if (form.code) codes.push(form.code);
    const token = {
      access_token: canaryValue(),
      refresh_token: canaryValue(),
      token_type: 'Bearer',
      expires_in: 3_600,
      ...scopesOf(form),
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token));
  });

  const redirectBackWith = (parameters: Readonly<Record<string, string>>): void => {
    redirect = (requested) => {
      const back = { state: requested.get('state') ?? '', ...parameters };
      return withParameters(requested.get('redirect_uri') as string, new URLSearchParams(back));
    };
  };
  redirectBackWith({ code: canaryValue(), iss: issuer });
  return {
    issuer,
    codes,
    forms,
    redirectBackWith,
    echoFormAsScopes: () => {
      scopesOf = (form) => ({ scope: Object.values(form).join(' ') });
    },
    relayTo: ({ authorizeUrl, parameters }) => {
      redirect = (requested) =>
        withParameters(authorizeUrl, new URLSearchParams({ ...Object.fromEntries(requested), ...parameters }));
    },
    close,
  };
}

/** Mix-up attack: redirects to the honest provider with the client id that the service has there. */
export function relayToHonest(
  hostile: HostileProvider,
  provider: OAuthProvider,
  parameters: Readonly<Record<string, string>> = {},
): void {
  const { clientId: client_id = '' } = provider.credentials.client_secret_post.authenticationConfig;
  hostile.relayTo({ authorizeUrl: `${provider.issuer}/auth`, parameters: { client_id, ...parameters } });
}

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
export async function aHostileConnection(client: Client): Promise<any> {
  const authenticationConfig = { clientId: 'mine', clientSecret: 'secret-of-mine' };
  return (await connect(client, 'hostile', { authenticationConfig, secrets: [] })).body.data;
}

function withParameters(address: string, parameters: URLSearchParams): URL {
  const url = new URL(address);
  for (const [name, value] of parameters) url.searchParams.set(name, value);
  return url;
}
