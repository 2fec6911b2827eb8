import type { OutboundReply } from '../../kernel/outbound/outbound-client.js';
import type { Spool } from '../../kernel/outbound/read-response.js';
import { setHeader } from '../auth-method.js';
import type { Connection } from '../connection.js';
import { authMethods } from '../methods/auth-methods.js';
import type { PathVariables } from '../path-variable.js';
import { requestTimeoutMs } from '../request-timeout.js';
import type { Session, SessionStore } from '../session.js';
import { buildSourceUrl, type QueryParameters } from '../source-address.js';
import type { Send, SourceRequest } from '../source-request.js';
import { getCurrentSession, renewSession, usesSessions } from './current-session.js';
import { addExtraHeaders } from './extra-headers.js';

/** All processes share the limits of a source. */
export interface SourceThrottle {
  /**
   * Throws `OutboundError` if the wait is too long, and the abort reason if the signal is aborted. The caller must call
   * the returned function after the response.
   */
  acquire(signal?: AbortSignal): Promise<() => Promise<void>>;
  /** In every process, delays the next request to the source. */
  pause(milliseconds: number): Promise<void>;
}

export interface SourceCall {
  readonly connection: Connection;
  readonly sessions: SessionStore;
  readonly send: Send;
  readonly throttle?: SourceThrottle;
  /** Ends the request, or the wait for the rate limits. The call then throws the abort reason. */
  readonly signal?: AbortSignal;
}

export interface SourceCallRequest {
  /** Defaults to GET. */
  readonly method?: string;
  /** A path below the base URL, or an absolute URL (see `buildSourceUrl`). */
  readonly path: string;
  readonly query?: QueryParameters;
  /** Values of variables in `path`, if `path` comes from the definition. */
  readonly variables?: PathVariables;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly json?: unknown;
  /** Body. Ignored if `json` is defined. */
  readonly text?: string;
  /** Maximum size of the response body. */
  readonly maxBytes?: number;
  /** With a spool, the body of a successful response may exceed `maxBytes`. */
  readonly spool?: Spool;
}

/**
 * If the vendor responds with one of the strategy's `tokenRefreshCodes` (401 by default), retries once with a new
 * session. Does not retry if the session is already new, or if only a sign-in can renew the session.
 *
 * The service follows redirects, but sends no credentials to a different origin. The `url` of the response shows the
 * origin that responded. Throws `ConnectionConfigError`, `SignInRequiredError`, `TokenExchangeError`,
 * `ForeignAddressError` and `OutboundError`.
 */
export async function callSource(call: SourceCall, request: SourceCallRequest): Promise<OutboundReply> {
  if (!usesSessions(call.connection)) return attempt(call, request, undefined);
  const { stored, fresh } = await getCurrentSession(call);
  const reply = await attempt(call, request, stored.session);
  // A new session is not stale, so a further session would not change the status.
  if (fresh || !refreshCodes(call.connection).includes(reply.status)) return reply;
  const replaced = await renewSession(call, stored);
  return replaced ? attempt(call, request, replaced.session) : reply;
}

async function attempt(call: SourceCall, request: SourceCallRequest, session: Session | undefined) {
  const { connection, send, throttle, signal } = call;
  const { strategy } = connection;
  const signed = sourceRequest(connection, request, session);
  await authMethods[strategy.type].sign(signed, connection, session);
  const release = await throttle?.acquire(signal);
  try {
    return await send(signed.url.href, {
      method: signed.method,
      headers: Object.fromEntries(signed.headers),
      body: signed.body,
      maxBytes: request.maxBytes,
      spool: request.spool,
      timeoutMs: requestTimeoutMs(connection),
      ...(signal && { signal }),
    });
  } finally {
    await release?.();
  }
}

function sourceRequest(
  connection: Connection,
  request: SourceCallRequest,
  session: Session | undefined,
): SourceRequest {
  const { method = 'GET', path, query, variables, headers = {}, json, text } = request;
  const unsigned: SourceRequest = {
    method,
    url: buildSourceUrl(connection, session?.addressValues, path, query, variables),
    headers: new Headers(json === undefined ? {} : { 'content-type': 'application/json' }),
    body: json === undefined ? text : JSON.stringify(json),
  };
  addExtraHeaders(unsigned, connection);
  for (const [name, value] of Object.entries(headers)) setHeader(unsigned, name, String(value), name);
  return unsigned;
}

function refreshCodes({ strategy }: Connection): readonly number[] {
  return strategy.oauth2Config?.tokenRefreshCodes ?? [401];
}
