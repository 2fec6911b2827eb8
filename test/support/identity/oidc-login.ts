import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Configuration, type JWK, Provider, type UnknownObject } from 'oidc-provider';
import { aSigningKey } from './jwks-server.js';
import type { OidcAdapter } from './oidc-adapter.js';

type Grant = InstanceType<Provider['Grant']>;

interface SignIn {
  /** Who signs in: the request's `login_hint` comes before it. */
  readonly account?: string;
  /** What the person agrees to. */
  readonly consent: (grant: Grant, params: UnknownObject) => void;
}

/** A request with this header is one of a person who says no. */
export const DENY_HEADER = 'x-test-denies';

/** What all providers here have in common: keys of their own, and a page of ours to sign in. */
export function oidcConfiguration(store: OidcAdapter): Configuration {
  const { privateKey, kid } = aSigningKey();
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

/** Answers as the provider, and in place of the page where a person would type: whoever signs in is believed. */
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
