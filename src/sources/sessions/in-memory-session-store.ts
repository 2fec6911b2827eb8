import type { Session, SessionStore, StoredSession } from '../session.js';

/** Runs one `obtain` at a time. */
export class InMemorySessionStore implements SessionStore {
  #stored: StoredSession | undefined;
  #last: Promise<unknown> = Promise.resolve();

  async read(): Promise<StoredSession | undefined> {
    return this.#stored;
  }

  replace(
    stale: StoredSession | undefined,
    obtain: (previous: Session | undefined) => Promise<Session>,
  ): Promise<StoredSession> {
    const replaced = this.#last.then(async () => {
      const stored = this.#stored;
      if (stored && stored.version !== stale?.version) return stored;
      this.#stored = { version: (stored?.version ?? 0) + 1, session: await obtain(stored?.session) };
      return this.#stored;
    });
    this.#last = replaced.catch(() => undefined);
    return replaced;
  }
}
