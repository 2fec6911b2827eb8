import { LRUCache } from 'lru-cache';
import type { SourceCall } from '../../sources/calls/call-source.js';
import { ConnectionConfigError } from '../../sources/connection-config-error.js';
import type { SessionStore } from '../../sources/session.js';
import { InMemorySessionStore } from '../../sources/sessions/in-memory-session-store.js';
import type { TapReading } from '../tap-reading.js';

/**
 * Maximum number of cached sessions of impersonated users, per connection and process. The process obtains an evicted
 * session again.
 */
const MAX_SESSIONS = 10_000;

/** The key is the session store of the connection, so that no other connection can use a session. */
const sessionsOf = new WeakMap<SessionStore, LRUCache<string, SessionStore>>();

/** With `perParentAuth`, impersonates the user of the parent record. Throws `ConnectionConfigError`. */
export function callAsParent(call: SourceCall, { tap, variables, parentFields }: TapReading): SourceCall {
  const { impersonateField } = tap.perParentAuth ?? {};
  if (!impersonateField) return call;
  const user = variables[impersonateField] ?? parentFields[impersonateField];
  const { delegatedUserField } = call.connection.strategy;
  if (typeof user !== 'string' || user === '')
    throw new ConnectionConfigError(impersonateField, 'the parent record has no user to impersonate.');
  if (!delegatedUserField) return call;
  const connection = { ...call.connection, config: { ...call.connection.config, [delegatedUserField]: user } };
  return { ...call, connection, sessions: sessionsAs(call.sessions, user) };
}

function sessionsAs(sessions: SessionStore, user: string): SessionStore {
  const ofUsers = sessionsOf.get(sessions) ?? new LRUCache<string, SessionStore>({ max: MAX_SESSIONS });
  sessionsOf.set(sessions, ofUsers);
  const store = ofUsers.get(user) ?? new InMemorySessionStore();
  ofUsers.set(user, store);
  return store;
}
