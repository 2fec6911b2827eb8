import { evaluateJmesPath } from '../../kernel/formats/jmespath.js';
import { OutboundError, type OutboundReply } from '../../kernel/outbound/outbound-client.js';
import { parseJsonResponse } from '../../kernel/outbound/read-response.js';
import type { ExchangeContext } from '../auth-method.js';
import type { Connection } from '../connection.js';
import { connectionSecretsOf } from '../connection-secrets.js';
import { exchangeTimeoutMs } from '../request-timeout.js';
import { sourceSuppliedVariables } from '../resolve-address-variable.js';
import { containsSecret } from '../responses/display-text.js';
import { isHtmlResponse } from '../responses/is-html-response.js';
import { TokenExchangeError } from '../responses/token-exchange-error.js';
import type { Session } from '../session.js';
import { tokenEndpointOf } from '../source-address.js';

export interface SessionRequest {
  readonly body: string;
  readonly contentType: 'application/x-www-form-urlencoded' | 'application/json';
  readonly headers?: Readonly<Record<string, string>>;
  /** Provides the values that the response omits. */
  readonly previous?: Pick<Session, 'refreshToken' | 'addressValues' | 'scopes' | 'requestedScopes'>;
  /** Parameters of the vendor's callback, which may contain values of address variables. */
  readonly callback?: Readonly<Record<string, unknown>>;
  /** Codes, verifiers and assertions of this request. `requestSession` omits scopes that contain one of them. */
  readonly oneTimeSecrets?: readonly string[];
}

const MAX_REPLY_BYTES = 64 * 1024;

/**
 * Throws `TokenExchangeError` if the response is not successful or contains no token. Throws `OutboundError` if there
 * is no response, or if a redirect led to a different origin. Throws `ConnectionConfigError` for an invalid endpoint.
 */
export async function requestSession({ connection, send }: ExchangeContext, request: SessionRequest): Promise<Session> {
  const endpoint = tokenEndpointOf(connection);
  const obtainedAt = Date.now();
  const reply = await send(endpoint, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': request.contentType, ...request.headers },
    body: request.body,
    maxBytes: MAX_REPLY_BYTES,
    timeoutMs: exchangeTimeoutMs(connection),
  });
  if (new URL(reply.url).origin !== new URL(endpoint).origin) throw new OutboundError('redirect_not_allowed');
  return { ...sessionOf(connection, reply, request), obtainedAt };
}

function sessionOf(
  connection: Connection,
  reply: OutboundReply,
  { previous, callback, oneTimeSecrets = [] }: SessionRequest,
): Omit<Session, 'obtainedAt'> {
  const body = parseJsonResponse(reply);
  const token = evaluateJmesPath(connection.strategy.oauth2Config?.tokenResponsePath ?? 'access_token', body);
  const succeeded = reply.status >= 200 && reply.status < 300;
  if (!succeeded || typeof token !== 'string' || !token) {
    throw new TokenExchangeError(
      reply.status,
      body,
      reply.headers.get('retry-after') ?? undefined,
      isHtmlResponse(reply),
    );
  }
  const { refresh_token, expires_in, scope } = body as Readonly<Record<string, unknown>>;
  const addressValues = {
    ...previous?.addressValues,
    ...addressValuesIn(connection, { ...(body as object), callback }),
  };
  const lifetime = secondsIn(expires_in);
  const refreshToken = textIn(refresh_token) ?? previous?.refreshToken;
  const secrets = [...connectionSecretsOf(connection, [previous, { token, refreshToken }]), ...oneTimeSecrets];
  return {
    token,
    refreshToken,
    expiresAt: lifetime && Date.now() + lifetime * 1_000,
    // The API returns scopes to callers, and a source may echo a secret in a scope.
    scopes: scopesIn(scope)?.filter((name) => !containsSecret(name, secrets)) ?? previous?.scopes,
    requestedScopes: previous?.requestedScopes,
    addressValues: Object.keys(addressValues).length ? addressValues : undefined,
  };
}

function addressValuesIn(connection: Connection, reply: object): Record<string, string> {
  const found = sourceSuppliedVariables(connection).map(({ name, oauthResponsePath }) => {
    const value = oauthResponsePath ? evaluateJmesPath(oauthResponsePath, reply) : undefined;
    return [name, typeof value === 'number' ? `${value}` : textIn(value)] as const;
  });
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value ? value : undefined;
}

/** Accepts positive numbers below 10^10, also as decimal text. */
function secondsIn(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && seconds < 1e10 ? seconds : undefined;
}

function scopesIn(value: unknown): string[] | undefined {
  if (Array.isArray(value)) return value.filter((scope) => typeof scope === 'string');
  return typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : undefined;
}
