import { setTimeout as sleep } from 'node:timers/promises';
import { OutboundError } from '../kernel/outbound.js';
import { callSource, type SourceCall } from './call-source.js';
import type { Connection } from './connection.js';
import { ConnectionFault } from './connection-fault.js';
import { currentSession, isOver, isRenewable, replaceSession, usesSessions } from './current-session.js';
import { ExchangeRefused } from './exchange-refused.js';
import type { Finding } from './finding.js';
import { scopeDetails } from './granted-scopes.js';
import { judgeExchange } from './judge-exchange.js';
import { judgeReply } from './judge-reply.js';
import { exchangeTimeout } from './request-timeout.js';
import { requestedScopes } from './requested-scopes.js';
import { secretsInUse } from './secrets-in-use.js';
import type { KeptSession, Session, SessionKeeper } from './session.js';
import { SignInRequired } from './session-token.js';
import type { Send } from './source-request.js';
import { waitForFloor } from './timing-floor.js';
import { findingOf, verdictOfFailure } from './verdict.js';
import { verificationRequest } from './verification-request.js';

export interface TestOptions extends Pick<SourceCall, 'throttle'> {
  /** Milliseconds for all of it; those of one request to the source by default. */
  readonly timeout?: number;
  /** Milliseconds that finding nobody takes at least; a second by default. */
  readonly floor?: number;
  /** Is given what failed on our side, which is shown to nobody else. */
  readonly report?: (cause: unknown) => void;
}

interface Test extends SourceCall {
  readonly before: KeptSession | undefined;
  /** Origin of the last call. */
  readonly askedOrigin: () => string;
}

const MAX_BYTES = 1024 * 1024;

/**
 * Tells whether a credential works, by using it the way the definition says. Never throws. Where nobody can be reached, the
 * finding and the time that it takes do not say whether an address is closed, unknown or not allowed.
 */
export async function testCredential(
  connection: Connection,
  sessions: SessionKeeper,
  send: Send,
  options: TestOptions = {},
): Promise<Finding> {
  const { floor, report = () => undefined, throttle } = options;
  const begun = performance.now();
  const deadline = begun + (options.timeout ?? exchangeTimeout(connection));
  let before: KeptSession | undefined;
  let origin = '';
  // What was begun has its time, also once nobody waits any longer: a refresh token may be used up by then, and the next one on its way.
  const sendInTime: Send = (url, request) => {
    if (performance.now() >= deadline) throw new OutboundError('timeout');
    origin = URL.parse(url)?.origin ?? '';
    return send(url, request);
  };
  const findOut = async () => {
    before = await sessions.read();
    return tested({ connection, sessions, send: sendInTime, throttle, before, askedOrigin: () => origin });
  };
  try {
    return await inTime(findOut(), deadline);
  } catch (error) {
    const unreachable = error instanceof OutboundError && verdictOfFailure(error.reason) === 'unreachable';
    if (unreachable) await waitForFloor(begun, floor);
    return findingOfError(error, { connection, before, report });
  }
}

function tested(test: Test): Promise<Finding> {
  const { connection } = test;
  const { verification } = connection.strategy;
  const byExchange = verification ? verification.tokenExchangeOnly === true : usesSessions(connection);
  return byExchange ? testedByExchange(test) : testedByCall(test);
}

/** Whoever is given a token is who they say they are. */
async function testedByExchange(test: Test): Promise<Finding> {
  const { connection, before } = test;
  const kept = before ? await replaceSession(test, before) : (await currentSession(test)).kept;
  if (!kept) return findingOf(before && isOver(before.session) ? 'expired' : 'unclear');
  const { session } = kept;
  const secrets = secretsInUse(connection, [before?.session, session]);
  return findingOf('accepted', {
    ...scopeDetails(session.scopes, { requested: requestedScopes(connection, session), secrets }),
    expiresAt: endOf(connection, session),
  });
}

async function testedByCall(test: Test): Promise<Finding> {
  const { connection, before, askedOrigin } = test;
  const { connector, strategy } = connection;
  const request = verificationRequest(connection);
  if (!request) return findingOf('unclear');
  const reply = await callSource(test, { ...request, maxBytes: MAX_BYTES });
  const session = usesSessions(connection) ? (await test.sessions.read())?.session : undefined;
  const finding = judgeReply(reply, {
    verification: strategy.verification ?? {},
    origin: askedOrigin(),
    requestedScopes: requestedScopes(connection, session),
    sessionScopes: session?.scopes,
    resetHeader: connector.rateLimits?.resetHeader ?? undefined,
    secrets: secretsInUse(connection, [before?.session, session]),
  });
  const expiresAt = session && endOf(connection, session);
  if (finding.status === 'valid') return expiresAt === undefined ? finding : { ...finding, expiresAt };
  // A source that refuses a token whose time is over says no more than that.
  const over = session && isOver(session) && finding.errorCode === 'auth_failed';
  return over ? findingOf('expired', { httpStatus: finding.httpStatus }) : finding;
}

function findingOfError(
  error: unknown,
  { connection, before, report }: { connection: Connection; before?: KeptSession; report: (cause: unknown) => void },
): Finding {
  if (error instanceof SignInRequired) return findingOf('sign_in_needed');
  if (error instanceof ExchangeRefused) {
    return judgeExchange(error, connection.strategy.verification ?? {}, { hadSession: before !== undefined });
  }
  if (error instanceof ConnectionFault) {
    const finding = findingOf('unusable_config');
    return { ...finding, message: `${finding.message} ${error.message}` };
  }
  const verdict = error instanceof OutboundError ? verdictOfFailure(error.reason) : 'failed_here';
  if (verdict === 'failed_here') report(error);
  return findingOf(verdict);
}

/** When it ends for good: a session that another one follows has no end. */
function endOf(connection: Connection, session: Session): number | undefined {
  return isRenewable(connection, session) ? undefined : session.expiresAt;
}

async function inTime<T>(work: Promise<T>, deadline: number): Promise<T> {
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
