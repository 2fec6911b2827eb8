import { TokenTimeout } from '../../kernel/concurrency/take-token.js';
import { OutboundError } from '../../kernel/outbound/outbound-error.js';
import type { OutboundResponse } from '../../kernel/outbound/read-response.js';
import { callSource, type SourceCall, type SourceCallRequest } from '../../sources/calls/call-source.js';
import { renewSession, usesSessions } from '../../sources/calls/current-session.js';
import type { Session, SessionStore } from '../../sources/session.js';
import { retryDelayMs } from '../responses/retry-delay.js';
import { toTapReadError } from '../responses/to-tap-read-error.js';
import { TapReadError } from '../tap-read-error.js';
import { isOwnFailure } from './is-own-failure.js';
import { redactUrl } from './redact-url.js';
import { type RequestTrace, unsignedUrlOf } from './request-trace.js';
import { MAX_WAIT_MS, sleep } from './sleep.js';
import type { TapSource } from './tap-source.js';
import { observeClock } from './vendor-clock.js';

/** Larger responses fail, unless the request sets `spool`. */
const MAX_RESPONSE_BYTES = 8 * 2 ** 20;

/** `origin` is the origin of the request before redirects. Throws `TapReadError`, and errors of the service itself. */
export type ReadResponse<Result> = (response: OutboundResponse, origin: string | undefined) => Result | Promise<Result>;

interface SendOptions<Result> {
  readonly read: ReadResponse<Result>;
  readonly signal: AbortSignal;
}

/**
 * Retries until `read` accepts the response or the retry policy allows no further attempt. A rate limit of the vendor
 * delays the requests of all processes. Throws `TapReadError`, with action `wait` if the next attempt is more than 30
 * seconds away. Also throws errors of the service itself (`isOwnFailure`) and the abort reason of the signal.
 */
export async function sendTapRequest<Result>(
  source: TapSource,
  request: SourceCallRequest,
  { read, signal }: SendOptions<Result>,
): Promise<Result> {
  const startedAt = Date.now();
  let isRefreshed = false;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await attemptRequest(source, request, attempt, { read, signal });
    } catch (cause) {
      signal.throwIfAborted();
      if (isOwnFailure(cause)) throw cause;
      const error = toReadError(source, cause);
      if (error.action === 'refresh_session') {
        if (isRefreshed || !(await refreshSession(source.call))) throw rejectedSession(error);
        isRefreshed = true;
        continue;
      }
      const delayMs = delayOf(source, error, attempt, Date.now() - startedAt);
      if (delayMs === undefined) throw error;
      // A timeout of the service's own limiter delays no other taps, because the limit may apply to a single tap.
      if (error.errorClass === 'rate_limited' && !timeoutOf(cause)) await source.call.throttle?.pause(delayMs);
      if (delayMs > MAX_WAIT_MS) throw waitOf(error, delayMs);
      await (source.sleep ?? sleep)(delayMs, signal);
    }
  }
}

async function attemptRequest<Result>(
  source: TapSource,
  request: SourceCallRequest,
  attempt: number,
  { read, signal }: SendOptions<Result>,
): Promise<Result> {
  const { connection } = source.call;
  const at = new Date();
  let session: Session | undefined;
  const sessions = observeSession(source.call.sessions, (used) => {
    session = used;
  });
  // The URL may depend on the session, which is known only after the call.
  let unsignedUrl: URL | undefined;
  const sentTo = (): URL | undefined => (unsignedUrl ??= unsignedUrlOf(connection, request, session));
  let response: OutboundResponse | undefined;
  const report = (error?: TapReadError): void => {
    const trace: RequestTrace = {
      ...{ at, attempt, method: request.method ?? 'GET' },
      url: redactUrl(sentTo()?.href ?? request.path, connection, session),
      ...(response && { status: response.status }),
      ...{ durationMs: Date.now() - at.getTime(), bytes: response?.spooled?.size ?? response?.body.length ?? 0 },
      ...(error && { errorClass: error.errorClass }),
    };
    source.onRequest?.(trace);
  };
  try {
    response = source.batch
      ? await source.batch.send(request)
      : await callSource({ ...source.call, sessions, signal }, { maxBytes: MAX_RESPONSE_BYTES, ...request });
    observeClock({ url: response.url, headers: response.headers, sentAt: at.getTime(), receivedAt: Date.now() });
    const result = await read(response, sentTo()?.origin);
    report();
    return result;
  } catch (error) {
    const wasSent = !timeoutOf(error) && !signal.aborted;
    if (wasSent) report(toReadError(source, error));
    throw error;
  }
}

/** A wait for the service's own rate limit is not a failure of the vendor. */
function toReadError({ call }: TapSource, error: unknown): TapReadError {
  const timeout = timeoutOf(error);
  if (!timeout) return toTapReadError(error, { verification: call.connection.strategy.verification });
  return new TapReadError('rate_limited', 'wait', 'The rate limit for requests to the source is exhausted.', {
    retryAfterMs: timeout.waitMs,
  });
}

function timeoutOf(error: unknown): TokenTimeout | undefined {
  return error instanceof OutboundError && error.cause instanceof TokenTimeout ? error.cause : undefined;
}

function delayOf(source: TapSource, error: TapReadError, attempt: number, elapsedMs: number): number | undefined {
  if (error.action !== 'retry' && error.action !== 'wait') return undefined;
  const policy = (source.rateLimits ?? source.call.connection.connector.rateLimits)?.retry;
  const { retryAfterMs } = error;
  return retryDelayMs({ attempt, elapsedMs, policy, retryAfterMs, ...(source.random && { random: source.random }) });
}

/** Returns false if the strategy uses no sessions, or if a new session requires a sign-in. */
async function refreshSession(call: SourceCall): Promise<boolean> {
  const stored = usesSessions(call.connection) ? await call.sessions.read() : undefined;
  return stored !== undefined && (await renewSession(call, stored)) !== undefined;
}

function rejectedSession({ errorClass, message, status }: TapReadError): TapReadError {
  return new TapReadError(errorClass, 'stop_run', message, { status });
}

function waitOf({ errorClass, message, status }: TapReadError, retryAfterMs: number): TapReadError {
  return new TapReadError(errorClass, 'wait', message, { retryAfterMs, status });
}

/** Reports the sessions of a call, so that the trace does not read and decrypt them again. */
function observeSession(sessions: SessionStore, report: (session: Session | undefined) => void): SessionStore {
  return {
    read: async () => {
      const stored = await sessions.read();
      report(stored?.session);
      return stored;
    },
    replace: async (stale, obtain) => {
      const stored = await sessions.replace(stale, obtain);
      report(stored.session);
      return stored;
    },
  };
}
