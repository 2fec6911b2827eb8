import type { Session, SessionStore, StoredSession } from '../../../src/sources/session.js';

/** Stores one session in memory. Runs one `obtain` at a time. */
export class InMemorySessions implements SessionStore {
  kept: StoredSession | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(session?: Session) {
    this.kept = session && { version: 1, session };
  }

  async read(): Promise<StoredSession | undefined> {
    return this.kept;
  }

  replace(
    stale: StoredSession | undefined,
    obtain: (previous: Session | undefined) => Promise<Session>,
  ): Promise<StoredSession> {
    const replaced = this.#turn.then(async () => {
      if (this.kept && this.kept.version !== stale?.version) return this.kept;
      this.kept = { version: (this.kept?.version ?? 0) + 1, session: await obtain(this.kept?.session) };
      return this.kept;
    });
    this.#turn = replaced.catch(() => undefined);
    return replaced;
  }
}

/** Valid for an hour. */
export function aSession(overrides: Partial<Session> = {}): Session {
  const now = Date.now();
  return { token: 'token-1', obtainedAt: now, expiresAt: now + 3_600_000, ...overrides };
}
