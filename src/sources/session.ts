/** What an exchange of credentials gave. Secret as a whole. */
export interface Session {
  /** What later requests carry. */
  readonly token: string;
  readonly refreshToken?: string;
  /** Milliseconds since 1970; none where the source did not say. */
  readonly expiresAt?: number;
  /** When it was obtained, in milliseconds since 1970. */
  readonly obtainedAt: number;
  /** Scopes that the sign-in asked for, where those were fewer than the strategy's. */
  readonly requestedScopes?: readonly string[];
  /** Granted scopes, where the source said. */
  readonly scopes?: readonly string[];
  /** Address variables of source `oauth_response`, by name. */
  readonly addressValues?: Readonly<Record<string, string>>;
}

export interface StoredSession {
  readonly version: number;
  readonly session: Session;
}

/** Keeps the session of one credential for all who use it. */
export interface SessionStore {
  read(): Promise<StoredSession | undefined>;
  /**
   * Replaces `stale`, and keeps what `obtain` gave before anybody uses it. Of all who ask at once one obtains; the others are
   * given what that one kept. `obtain` gets the session as it is kept at that moment.
   */
  replace(
    stale: StoredSession | undefined,
    obtain: (previous: Session | undefined) => Promise<Session>,
  ): Promise<StoredSession>;
}
