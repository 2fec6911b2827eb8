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
 * Renews the stored session if its refresh time has passed. Returns the stored session if only a sign-in can renew it,
 * or if the renewal fails temporarily before the session expires. `fresh` is true if the session is new. Throws
 * `SignInRequiredError` if no session is stored and the method requires a sign-in.
 */
export async function getCurrentSession(context: SessionContext): Promise<{ stored: StoredSession; fresh: boolean }> {
  const stored = await context.sessions.read();
  if (!stored) return { stored: await obtainSession(context, undefined), fresh: true };
  if (!isRefreshDue(stored.session)) return { stored, fresh: false };
  try {
    const replaced = await renewSession(context, stored);
    return replaced ? { stored: replaced, fresh: true } : { stored, fresh: false };
  } catch (error) {
    // The renewal starts before the expiry, so a short outage of the token endpoint does not affect callers.
    if (isTransientError(error) && !isExpired(stored.session)) return { stored, fresh: false };
    throw error;
  }
}

/** Returns undefined if a new session requires a sign-in. */
export async function renewSession(context: SessionContext, stale: StoredSession): Promise<StoredSession | undefined> {
  const { strategy } = context.connection;
  if (!renewalOf(authMethods[strategy.type], stale.session)) return undefined;
  return obtainSession(context, stale);
}

/** False if the next session requires a sign-in. */
export function isRenewable({ strategy }: Pick<Connection, 'strategy'>, session: Session | undefined): boolean {
  return renewalOf(authMethods[strategy.type], session) !== undefined;
}

async function obtainSession(context: SessionContext, stale: StoredSession | undefined): Promise<StoredSession> {
  const { connection, sessions } = context;
  const obtain = async (previous: Session | undefined) => {
    const renew = renewalOf(authMethods[connection.strategy.type], previous);
    if (!renew) throw new SignInRequiredError();
    return renew(context);
  };
  try {
    return await sessions.replace(stale, obtain);
  } catch (error) {
    if (!(error instanceof TokenExchangeError) || error.oauthError !== 'invalid_grant') throw error;
    // If another process has used the refresh token first, it has stored the new session.
    const stored = await sessions.read();
    if (!stored || stored.version === stale?.version) throw error;
    return stored;
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
