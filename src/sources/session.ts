/** Result of a token exchange or sign-in. All fields are secret. */
export interface Session {
  /** Access token or session token. */
  readonly token: string;
  readonly refreshToken?: string;
  /** Milliseconds since 1970. Undefined if the source did not return an expiry. */
  readonly expiresAt?: number;
  /** Milliseconds since 1970. */
  readonly obtainedAt: number;
  /** Scopes that the sign-in requested, if they were fewer than the scopes of the strategy. */
  readonly requestedScopes?: readonly string[];
  /** Granted scopes. Undefined if the source did not return scopes. */
  readonly scopes?: readonly string[];
  /** Values of address variables with source `oauth_response`, by name. */
  readonly addressValues?: Readonly<Record<string, string>>;
}

export interface StoredSession {
  readonly version: number;
  readonly session: Session;
}

/** All callers share the session of a credential. */
export interface SessionStore {
  read(): Promise<StoredSession | undefined>;
  /**
   * Stores the session from `obtain` before it returns the session. If several callers are concurrent, only one of them
   * calls `obtain`, with the currently stored session. The other callers receive the new session.
   */
  replace(
    stale: StoredSession | undefined,
    obtain: (previous: Session | undefined) => Promise<Session>,
  ): Promise<StoredSession>;
}
