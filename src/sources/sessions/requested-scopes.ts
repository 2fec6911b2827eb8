import type { Connection } from '../connection.js';
import type { Session } from '../session.js';

/**
 * OAuth scopes to request, without duplicates. A session whose sign-in requested fewer scopes overrides the strategy.
 */
export function requestedScopesOf({ strategy }: Pick<Connection, 'strategy'>, session?: Session): string[] {
  const all = new Set([...(strategy.oauth2Config?.scopes ?? []), ...(strategy.defaultScopes ?? [])]);
  return [...(session?.requestedScopes ?? all)];
}
