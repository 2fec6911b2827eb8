import { OutboundError } from '../../kernel/outbound/outbound-error.js';
import type { AuthMethod, ExchangeContext } from '../auth-method.js';
import type { Connection } from '../connection.js';
import { authMethods } from '../methods/auth-methods.js';
import { transientClassificationOf } from '../responses/classification.js';
import { TokenExchangeError } from '../responses/token-exchange-error.js';
import type { Session, SessionStore, StoredSession } from '../session.js';
import { SignInRequiredError } from '../sessions/sign-with-session.js';
import { sessionRefreshTimeOf } from './session-refresh-time.js';

type SessionContext = ExchangeContext & { readonly sessions: SessionStore };

export function usesSessions({ strategy }: Pick<Connection, 'strategy'>): boolean {
  const { open, refresh } = authMethods[strategy.type];
  return Boolean(open ?? refresh);
}

/**
 * The session to make a call with: the one that is kept, renewed where its time has come. `fresh` where it was obtained
 * just now. Throws `SignInRequiredError` where there is none and none can be opened.
 */
export async function getCurrentSession(holder: SessionContext): Promise<{ kept: StoredSession; fresh: boolean }> {
  const kept = await holder.sessions.read();
  if (!kept) return { kept: await obtainSession(holder, undefined), fresh: true };
  if (!isRefreshDue(kept.session)) return { kept, fresh: false };
  try {
    const replaced = await renewSession(holder, kept);
    return replaced ? { kept: replaced, fresh: true } : { kept, fresh: false };
  } catch (error) {
    // What is renewed ahead of time is good for a while yet, so that a short outage of the token endpoint goes unseen.
    if (isTransientError(error) && !isExpired(kept.session)) return { kept, fresh: false };
    throw error;
  }
}

/** A new session in place of one that is stale; nothing where only a person could obtain one. */
export async function renewSession(holder: SessionContext, stale: StoredSession): Promise<StoredSession | undefined> {
  const { strategy } = holder.connection;
  if (!renewalOf(authMethods[strategy.type], stale.session)) return undefined;
  return obtainSession(holder, stale);
}

/** Whether another session can follow without anybody signing in. */
export function isRenewable({ strategy }: Pick<Connection, 'strategy'>, session: Session | undefined): boolean {
  return renewalOf(authMethods[strategy.type], session) !== undefined;
}

async function obtainSession(holder: SessionContext, stale: StoredSession | undefined): Promise<StoredSession> {
  const { connection, sessions } = holder;
  const obtain = async (previous: Session | undefined) => {
    const renew = renewalOf(authMethods[connection.strategy.type], previous);
    if (!renew) throw new SignInRequiredError();
    return renew(holder);
  };
  try {
    return await sessions.replace(stale, obtain);
  } catch (error) {
    if (!(error instanceof TokenExchangeError) || error.oauthError !== 'invalid_grant') throw error;
    // Somebody else may have used the refresh token first, and have kept what it gave.
    const kept = await sessions.read();
    if (!kept || kept.version === stale?.version) throw error;
    return kept;
  }
}

function renewalOf({ open, refresh }: AuthMethod, previous: Session | undefined) {
  if (refresh && previous?.refreshToken) return (exchange: ExchangeContext) => refresh(exchange, previous);
  return open;
}

function isRefreshDue(session: Session): boolean {
  return Date.now() >= (sessionRefreshTimeOf(session) ?? Number.POSITIVE_INFINITY);
}

export function isExpired({ expiresAt }: Session): boolean {
  return expiresAt !== undefined && Date.now() >= expiresAt;
}

function isTransientError(error: unknown): boolean {
  if (error instanceof TokenExchangeError) return transientClassificationOf(error.status) !== undefined;
  return error instanceof OutboundError;
}
