import { createHash, randomBytes } from 'node:crypto';
import type { AuthMethod } from '../auth-method.js';
import { requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { renderAddress } from '../render-address.js';
import type { Session } from '../session.js';
import { authenticateClient } from '../sessions/client-authentication.js';
import { exchangeToken } from '../sessions/exchange-token.js';
import { renameParameters } from '../sessions/parameter-names.js';
import { requestedScopesOf } from '../sessions/requested-scopes.js';
import { audienceOf } from '../sessions/sign-assertion.js';
import { signWithSession } from '../sessions/sign-with-session.js';
import type { Send } from '../source-request.js';
import { refreshSession } from './oauth2-refresh.js';

/**
 * A user signs in with the vendor once. Afterwards, the service renews the session if the session has a refresh
 * token.
 */
export const oauth2AuthCodePkce: AuthMethod = {
  refresh: refreshSession,
  sign: signWithSession,
};

export interface AuthorizationRequest {
  readonly state: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  /** Overrides the scopes of the strategy. */
  readonly scopes?: readonly string[];
}

export interface CodeGrant {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  /** Other parameters of the vendor's callback. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Generates a 256-bit verifier and its S256 challenge (RFC 7636, section 4). */
export function generatePkce(): { codeVerifier: string; codeChallenge: string } {
  const codeVerifier = randomBytes(32).toString('base64url');
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
}

/** RFC 6749, section 4.1.1. Preserves the query parameters of the definition's URL. Throws `ConnectionConfigError`. */
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
  const renamed = renameParameters(parameters, oauth2Config);
  for (const [name, value] of Object.entries(renamed)) if (value) url.searchParams.set(name, value);
  return url;
}

/** RFC 6749, section 4.1.3. Throws the errors of `requestSession`. */
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

/** Compares the origin of the callback's issuer (RFC 9207) with the origin of the authorization page. */
export function issuerMatches(connection: Connection, iss: string): boolean {
  return URL.parse(iss)?.origin === authorizePage(connection).origin;
}

/** Definitions disable PKCE only for vendors that reject it, and only with client authentication. */
function usesPkce({ strategy }: Connection): boolean {
  return strategy.oauth2Config?.pkce ?? true;
}

function authorizePage(connection: Connection): URL {
  const setting = 'authorizeUrl';
  const template = connection.strategy.oauth2Config?.authorizeUrl;
  if (!template) throw new ConnectionConfigError(setting, 'the strategy has no authorization URL.');
  return new URL(renderAddress(connection, undefined, { template, setting }));
}
