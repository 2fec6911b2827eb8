import type { Connection } from '../connection.js';
import type { Session } from '../session.js';

/**
 * Returns the scopes of the strategy. If the sign-in of the session requested fewer scopes, returns only the requested
 * scopes.
 */
export function requestedScopesOf({ strategy }: Pick<Connection, 'strategy'>, session?: Session): string[] {
  const all = new Set([...(strategy.oauth2Config?.scopes ?? []), ...(strategy.defaultScopes ?? [])]);
  return [...(session?.requestedScopes ?? all)];
}
