import { createHash, randomBytes } from 'node:crypto';
import type { AuthMethod } from '../auth-method.js';
import { requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { renderAddress } from '../render-address.js';
import type { Session } from '../session.js';
import { authenticateClient } from '../sessions/client-authentication.js';
import { exchangeToken } from '../sessions/exchange-token.js';
import { requestedScopesOf } from '../sessions/requested-scopes.js';
import { audienceOf } from '../sessions/sign-assertion.js';
import { signWithSession } from '../sessions/sign-with-session.js';
import type { Send } from '../source-request.js';
import { refreshSession } from './oauth2-refresh.js';

/** Somebody signs in with the vendor once; from then on it is renewed by its refresh token, where there is one. */
export const oauth2AuthCodePkce: AuthMethod = {
  refresh: refreshSession,
  sign: signWithSession,
};

export interface AuthorizationRequest {
  readonly state: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  /** In place of those that the strategy asks for. */
  readonly scopes?: readonly string[];
}

export interface CodeGrant {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  /** Further parameters that the vendor's page came back with. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A verifier of 256 bits and its S256 challenge (RFC 7636, section 4). */
export function generatePkce(): { codeVerifier: string; codeChallenge: string } {
  const codeVerifier = randomBytes(32).toString('base64url');
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
}

/** Where the browser is sent to (RFC 6749, section 4.1.1): the catalog's address with its own query. Throws `ConnectionConfigError`. */
export function buildAuthorizeUrl(connection: Connection, request: AuthorizationRequest): URL {
  const { oauth2Config, verification } = connection.strategy;
  const separator = verification?.scopeSeparator?.trim() === ',' ? ',' : ' ';
  const parameters = {
    response_type: 'code',
    client_id: requiredField(connection, 'clientId'),
    redirect_uri: request.redirectUri,
    state: request.state,
    scope: (request.scopes ?? requestedScopesOf(connection)).join(separator),
    ...(usesPkce(connection) && { code_challenge: request.codeChallenge, code_challenge_method: 'S256' }),
    audience: oauth2Config?.audienceParam ? audienceOf(connection) : '',
  };
  const url = authorizePage(connection);
  for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value);
  return url;
}

/** Exchanges the code of the callback (RFC 6749, section 4.1.3). See `requestSession`. */
export async function exchangeCode(connection: Connection, send: Send, grant: CodeGrant): Promise<Session> {
  const { code, redirectUri, params = {} } = grant;
  const codeVerifier = usesPkce(connection) ? grant.codeVerifier : '';
  return exchangeToken(
    { connection, send },
    {
      form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier },
      client: await authenticateClient(connection),
      callback: params,
    },
  );
}

/** Whether the issuer that the callback names (RFC 9207) is at home where the browser was sent to. */
export function issuerMatches(connection: Connection, iss: string): boolean {
  return URL.parse(iss)?.origin === authorizePage(connection).origin;
}

/** Definitions turn it off only for vendors that reject it, with clients that authenticate at the token endpoint. */
function usesPkce({ strategy }: Connection): boolean {
  return strategy.oauth2Config?.pkce ?? true;
}

function authorizePage(connection: Connection): URL {
  const setting = 'authorizeUrl';
  const template = connection.strategy.oauth2Config?.authorizeUrl;
  if (!template) throw new ConnectionConfigError(setting, 'the strategy has none.');
  return new URL(renderAddress(connection, undefined, { template, setting }));
}
