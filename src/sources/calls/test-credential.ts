import { setTimeout as sleep } from 'node:timers/promises';
import { OutboundError } from '../../kernel/outbound/outbound-client.js';
import type { Connection } from '../connection.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { connectionSecretsOf } from '../connection-secrets.js';
import { exchangeTimeoutMs } from '../request-timeout.js';
import { classifyOutboundFailure, testOutcomeOf } from '../responses/classification.js';
import { classifyExchangeError } from '../responses/classify-exchange-error.js';
import { classifyResponse } from '../responses/classify-response.js';
import { scopeDetailsOf } from '../responses/granted-scopes.js';
import type { TestOutcome } from '../responses/test-outcome.js';
import { TokenExchangeError } from '../responses/token-exchange-error.js';
import type { Session, SessionStore, StoredSession } from '../session.js';
import { requestedScopesOf } from '../sessions/requested-scopes.js';
import { SignInRequiredError } from '../sessions/sign-with-session.js';
import type { Send } from '../source-request.js';
import { callSource, type SourceCall } from './call-source.js';
import { getCurrentSession, isExpired, isRenewable, renewSession, usesSessions } from './current-session.js';
import { waitForTimingFloor } from './timing-floor.js';
import { buildVerificationRequest } from './verification-request.js';

export interface CredentialTestOptions extends Pick<SourceCall, 'throttle'> {
  /** Timeout of the whole test. Defaults to the exchange timeout of the connector. */
  readonly timeoutMs?: number;
  /**
   * If the source is unreachable, the test waits until its duration is a multiple of this value. Defaults to 1 second.
   */
  readonly floorMs?: number;
  /** Receives internal errors of the service, which the outcome does not contain. */
  readonly onInternalError?: (cause: unknown) => void;
}

interface CredentialTest extends SourceCall {
  readonly before: StoredSession | undefined;
  readonly lastOrigin: () => string;
}

const MAX_REPLY_BYTES = 1024 * 1024;

/**
 * Never throws. If the source is unreachable, the outcome and the duration do not reveal whether the port is closed,
 * the host is unknown or the address is forbidden.
 */
export async function testCredential(
  connection: Connection,
  sessions: SessionStore,
  send: Send,
  options: CredentialTestOptions = {},
): Promise<TestOutcome> {
  const { floorMs: floor, onInternalError: report = () => undefined, throttle } = options;
  const startedAt = performance.now();
  const deadline = startedAt + (options.timeoutMs ?? exchangeTimeoutMs(connection));
  let before: StoredSession | undefined;
  let origin = '';
  // The deadline does not abort a running request. Such a request may have used up a refresh token, and its response
  // may contain the next token.
  const sendInTime: Send = (url, request) => {
    if (performance.now() >= deadline) throw new OutboundError('timeout');
    origin = URL.parse(url)?.origin ?? '';
    return send(url, request);
  };
  const run = async () => {
    before = await sessions.read();
    return runTest({ connection, sessions, send: sendInTime, throttle, before, lastOrigin: () => origin });
  };
  try {
    return await raceDeadline(run(), deadline);
  } catch (error) {
    const unreachable = error instanceof OutboundError && classifyOutboundFailure(error.reason) === 'unreachable';
    if (unreachable) await waitForTimingFloor(startedAt, floor);
    return testOutcomeOfError(error, { connection, before, report });
  }
}

function runTest(test: CredentialTest): Promise<TestOutcome> {
  const { connection } = test;
  const { verification } = connection.strategy;
  const byExchange = verification ? verification.tokenExchangeOnly === true : usesSessions(connection);
  return byExchange ? testByExchange(test) : testByCall(test);
}

/** If only a sign-in can renew the session, an expired session results in `expired`, any other in `unclear`. */
async function testByExchange(test: CredentialTest): Promise<TestOutcome> {
  const { connection, before } = test;
  const stored = before ? await renewSession(test, before) : (await getCurrentSession(test)).stored;
  if (!stored) return testOutcomeOf(before && isExpired(before.session) ? 'expired' : 'unclear');
  const { session } = stored;
  const secrets = connectionSecretsOf(connection, [before?.session, session]);
  return testOutcomeOf('accepted', {
    ...scopeDetailsOf(session.scopes, { requested: requestedScopesOf(connection, session), secrets }),
    expiresAt: expiryOf(connection, session),
  });
}

async function testByCall(test: CredentialTest): Promise<TestOutcome> {
  const { connection, before, lastOrigin } = test;
  const { connector, strategy } = connection;
  const request = buildVerificationRequest(connection);
  if (!request) return testOutcomeOf('unclear');
  const reply = await callSource(test, { ...request, maxBytes: MAX_REPLY_BYTES });
  const session = usesSessions(connection) ? (await test.sessions.read())?.session : undefined;
  const outcome = classifyResponse(reply, {
    verification: strategy.verification ?? {},
    origin: lastOrigin(),
    requestedScopes: requestedScopesOf(connection, session),
    sessionScopes: session?.scopes,
    resetHeader: connector.rateLimits?.resetHeader ?? undefined,
    secrets: connectionSecretsOf(connection, [before?.session, session]),
  });
  const expiresAt = session && expiryOf(connection, session);
  if (outcome.status === 'valid') return expiresAt === undefined ? outcome : { ...outcome, expiresAt };
  // The rejection of an expired token does not prove that the credential itself is wrong.
  const expired = session && isExpired(session) && outcome.errorCode === 'auth_failed';
  return expired ? testOutcomeOf('expired', { httpStatus: outcome.httpStatus }) : outcome;
}

function testOutcomeOfError(
  error: unknown,
  { connection, before, report }: { connection: Connection; before?: StoredSession; report: (cause: unknown) => void },
): TestOutcome {
  if (error instanceof SignInRequiredError) return testOutcomeOf('sign_in_needed');
  if (error instanceof TokenExchangeError) {
    return classifyExchangeError(error, connection.strategy.verification ?? {}, { hadSession: before !== undefined });
  }
  if (error instanceof ConnectionConfigError) {
    const outcome = testOutcomeOf('unusable_config');
    return { ...outcome, message: `${outcome.message} ${error.message}` };
  }
  const classification = error instanceof OutboundError ? classifyOutboundFailure(error.reason) : 'test_failed';
  if (classification === 'test_failed') report(error);
  return testOutcomeOf(classification);
}

/** Returns undefined for a session that the service can renew. */
function expiryOf(connection: Connection, session: Session): number | undefined {
  return isRenewable(connection, session) ? undefined : session.expiresAt;
}

async function raceDeadline<T>(work: Promise<T>, deadline: number): Promise<T> {
  const finished = new AbortController();
  const timer = sleep(deadline - performance.now(), undefined, { signal: finished.signal }).then(() => {
    throw new OutboundError('timeout');
  });
  try {
    return await Promise.race([work, timer]);
  } finally {
    timer.catch(() => undefined);
    finished.abort();
  }
}
