import { OutboundError } from '../kernel/outbound-error.js';
import type { Connection } from './connection.js';
import { ExchangeRefused } from './exchange-refused.js';
import type { AuthMethod, Exchange } from './method.js';
import { methods } from './methods.js';
import { refreshTimeOf } from './refresh-time.js';
import type { KeptSession, Session, SessionKeeper } from './session.js';
import { SignInRequired } from './session-token.js';
import { troubleOf } from './verdict.js';

type Holder = Exchange & { readonly sessions: SessionKeeper };

export function usesSessions({ strategy }: Pick<Connection, 'strategy'>): boolean {
  const { open, refresh } = methods[strategy.type];
  return Boolean(open ?? refresh);
}

/**
 * The session to make a call with: the one that is kept, renewed where its time has come. `fresh` where it was obtained
 * just now. Throws `SignInRequired` where there is none and none can be opened.
 */
export async function currentSession(holder: Holder): Promise<{ kept: KeptSession; fresh: boolean }> {
  const kept = await holder.sessions.read();
  if (!kept) return { kept: await obtained(holder, undefined), fresh: true };
  if (!isDue(kept.session)) return { kept, fresh: false };
  try {
    const replaced = await replaceSession(holder, kept);
    return replaced ? { kept: replaced, fresh: true } : { kept, fresh: false };
  } catch (error) {
    // What is renewed ahead of time is good for a while yet, so that a short outage of the token endpoint goes unseen.
    if (isPassing(error) && !isOver(kept.session)) return { kept, fresh: false };
    throw error;
  }
}

/** A new session in place of one that is stale; nothing where only a person could obtain one. */
export async function replaceSession(holder: Holder, stale: KeptSession): Promise<KeptSession | undefined> {
  const { strategy } = holder.connection;
  if (!renewal(methods[strategy.type], stale.session)) return undefined;
  return obtained(holder, stale);
}

/** Whether another session can follow without anybody signing in. */
export function isRenewable({ strategy }: Pick<Connection, 'strategy'>, session: Session | undefined): boolean {
  return renewal(methods[strategy.type], session) !== undefined;
}

async function obtained(holder: Holder, stale: KeptSession | undefined): Promise<KeptSession> {
  const { connection, sessions } = holder;
  const obtain = async (previous: Session | undefined) => {
    const renew = renewal(methods[connection.strategy.type], previous);
    if (!renew) throw new SignInRequired();
    return renew(holder);
  };
  try {
    return await sessions.replace(stale, obtain);
  } catch (error) {
    if (!(error instanceof ExchangeRefused) || error.oauthError !== 'invalid_grant') throw error;
    // Somebody else may have used the refresh token first, and have kept what it gave.
    const kept = await sessions.read();
    if (!kept || kept.version === stale?.version) throw error;
    return kept;
  }
}

function renewal({ open, refresh }: AuthMethod, previous: Session | undefined) {
  if (refresh && previous?.refreshToken) return (exchange: Exchange) => refresh(exchange, previous);
  return open;
}

function isDue(session: Session): boolean {
  return Date.now() >= (refreshTimeOf(session) ?? Number.POSITIVE_INFINITY);
}

export function isOver({ expiresAt }: Session): boolean {
  return expiresAt !== undefined && Date.now() >= expiresAt;
}

function isPassing(error: unknown): boolean {
  if (error instanceof ExchangeRefused) return troubleOf(error.status) !== undefined;
  return error instanceof OutboundError;
}
