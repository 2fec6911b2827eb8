import type { Connection } from '../connection.js';
import type { Session } from '../session.js';

/** If the sign-in of a session requested fewer scopes than the strategy has, returns the scopes of the sign-in. */
export function requestedScopesOf({ strategy }: Pick<Connection, 'strategy'>, session?: Session): string[] {
  const all = new Set([...(strategy.oauth2Config?.scopes ?? []), ...(strategy.defaultScopes ?? [])]);
  return [...(session?.requestedScopes ?? all)];
}
