import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Configuration, type JWK, Provider, type UnknownObject } from 'oidc-provider';
import type { JwksSigningKey } from './jwks-server.js';
import type { OidcAdapter } from './oidc-adapter.js';

type Grant = InstanceType<Provider['Grant']>;

interface SignIn {
  /** Account that signs in if a request has no `login_hint`. */
  readonly account?: string;
  /** Adds the scopes to which the user consents. */
  readonly consent: (grant: Grant, params: UnknownObject) => void;
}

export const DENY_HEADER = 'x-test-denies';

/** Settings of all providers. They require the sign-in page of `handleInteractions`. */
export function oidcConfiguration(store: OidcAdapter, { privateKey, kid }: JwksSigningKey): Configuration {
  return {
    jwks: { keys: [{ ...(privateKey.export({ format: 'jwk' }) as JWK), kid, alg: 'RS256', use: 'sig' }] },
    adapter: store.adapter,
    cookies: { keys: [randomBytes(16).toString('hex')] },
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    renderError: (ctx, { error }) => {
      ctx.body = error;
    },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, email: accountId }) }),
  };
}

/** The sign-in page signs the user in immediately, without a form. */
export function handleInteractions(provider: Provider, { account, consent }: SignIn) {
  const serve = provider.callback();

  const signIn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { params } = await provider.interactionDetails(request, response);
    if (request.headers[DENY_HEADER]) {
      await provider.interactionFinished(request, response, { error: 'access_denied' });
      return;
    }
    const accountId = (params.login_hint ?? account) as string;
    const grant = new provider.Grant({ accountId, clientId: params.client_id as string });
    consent(grant, params);
    const grantId = await grant.save();
    await provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId } });
  };

  return (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    request.url?.startsWith('/sign-in/') ? signIn(request, response) : serve(request, response);
}
