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
  /** Milliseconds for all of it; those of one request to the source by default. */
  readonly timeoutMs?: number;
  /** Milliseconds that finding nobody takes at least; a second by default. */
  readonly floorMs?: number;
  /** Is given what failed on our side, which is shown to nobody else. */
  readonly onInternalError?: (cause: unknown) => void;
}

interface CredentialTest extends SourceCall {
  readonly before: StoredSession | undefined;
  /** Origin of the last call. */
  readonly askedOrigin: () => string;
}

const MAX_REPLY_BYTES = 1024 * 1024;

/**
 * Tells whether a credential works, by using it the way the definition says. Never throws. Where nobody can be reached, the
 * finding and the time that it takes do not say whether an address is closed, unknown or not allowed.
 */
export async function testCredential(
  connection: Connection,
  sessions: SessionStore,
  send: Send,
  options: CredentialTestOptions = {},
): Promise<TestOutcome> {
  const { floorMs: floor, onInternalError: report = () => undefined, throttle } = options;
  const begun = performance.now();
  const deadline = begun + (options.timeoutMs ?? exchangeTimeoutMs(connection));
  let before: StoredSession | undefined;
  let origin = '';
  // What was begun has its time, also once nobody waits any longer: a refresh token may be used up by then, and the next one on its way.
  const sendInTime: Send = (url, request) => {
    if (performance.now() >= deadline) throw new OutboundError('timeout');
    origin = URL.parse(url)?.origin ?? '';
    return send(url, request);
  };
  const findOut = async () => {
    before = await sessions.read();
    return runTest({ connection, sessions, send: sendInTime, throttle, before, askedOrigin: () => origin });
  };
  try {
    return await raceDeadline(findOut(), deadline);
  } catch (error) {
    const unreachable = error instanceof OutboundError && classifyOutboundFailure(error.reason) === 'unreachable';
    if (unreachable) await waitForTimingFloor(begun, floor);
    return testOutcomeOfError(error, { connection, before, report });
  }
}

function runTest(test: CredentialTest): Promise<TestOutcome> {
  const { connection } = test;
  const { verification } = connection.strategy;
  const byExchange = verification ? verification.tokenExchangeOnly === true : usesSessions(connection);
  return byExchange ? testByExchange(test) : testByCall(test);
}

/** Whoever is given a token is who they say they are. */
async function testByExchange(test: CredentialTest): Promise<TestOutcome> {
  const { connection, before } = test;
  const kept = before ? await renewSession(test, before) : (await getCurrentSession(test)).kept;
  if (!kept) return testOutcomeOf(before && isExpired(before.session) ? 'expired' : 'unclear');
  const { session } = kept;
  const secrets = connectionSecretsOf(connection, [before?.session, session]);
  return testOutcomeOf('accepted', {
    ...scopeDetailsOf(session.scopes, { requested: requestedScopesOf(connection, session), secrets }),
    expiresAt: expiryOf(connection, session),
  });
}

async function testByCall(test: CredentialTest): Promise<TestOutcome> {
  const { connection, before, askedOrigin } = test;
  const { connector, strategy } = connection;
  const request = buildVerificationRequest(connection);
  if (!request) return testOutcomeOf('unclear');
  const reply = await callSource(test, { ...request, maxBytes: MAX_REPLY_BYTES });
  const session = usesSessions(connection) ? (await test.sessions.read())?.session : undefined;
  const finding = classifyResponse(reply, {
    verification: strategy.verification ?? {},
    origin: askedOrigin(),
    requestedScopes: requestedScopesOf(connection, session),
    sessionScopes: session?.scopes,
    resetHeader: connector.rateLimits?.resetHeader ?? undefined,
    secrets: connectionSecretsOf(connection, [before?.session, session]),
  });
  const expiresAt = session && expiryOf(connection, session);
  if (finding.status === 'valid') return expiresAt === undefined ? finding : { ...finding, expiresAt };
  // A source that refuses a token whose time is over says no more than that.
  const over = session && isExpired(session) && finding.errorCode === 'auth_failed';
  return over ? testOutcomeOf('expired', { httpStatus: finding.httpStatus }) : finding;
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
    const finding = testOutcomeOf('unusable_config');
    return { ...finding, message: `${finding.message} ${error.message}` };
  }
  const verdict = error instanceof OutboundError ? classifyOutboundFailure(error.reason) : 'failed_here';
  if (verdict === 'failed_here') report(error);
  return testOutcomeOf(verdict);
}

/** When it ends for good: a session that another one follows has no end. */
function expiryOf(connection: Connection, session: Session): number | undefined {
  return isRenewable(connection, session) ? undefined : session.expiresAt;
}

async function raceDeadline<T>(work: Promise<T>, deadline: number): Promise<T> {
  const over = new AbortController();
  const timer = sleep(deadline - performance.now(), undefined, { signal: over.signal }).then(() => {
    throw new OutboundError('timeout');
  });
  try {
    return await Promise.race([work, timer]);
  } finally {
    timer.catch(() => undefined);
    over.abort();
  }
}
