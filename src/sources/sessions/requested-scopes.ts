import type { Connection } from '../connection.js';
import type { Session } from '../session.js';

/** OAuth scopes that are asked for, each once: those that always are, then those of the strategy; fewer where a sign-in chose so. */
export function requestedScopesOf({ strategy }: Pick<Connection, 'strategy'>, session?: Session): string[] {
  const all = new Set([...(strategy.oauth2Config?.scopes ?? []), ...(strategy.defaultScopes ?? [])]);
  return [...(session?.requestedScopes ?? all)];
}
