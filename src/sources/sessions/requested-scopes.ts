import type { Connection } from '../connection.js';
import type { Session } from '../session.js';

/**
 * Returns the OAuth scopes to request, without duplicates. If the sign-in of a session requested fewer scopes, returns
 * those scopes instead of the scopes of the strategy.
 */
export function requestedScopesOf({ strategy }: Pick<Connection, 'strategy'>, session?: Session): string[] {
  const all = new Set([...(strategy.oauth2Config?.scopes ?? []), ...(strategy.defaultScopes ?? [])]);
  return [...(session?.requestedScopes ?? all)];
}
