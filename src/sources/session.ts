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
   * If another caller has already replaced `stale`, returns the stored session. Otherwise calls `obtain` with the
   * stored session, then stores and returns the new session. Of several concurrent callers, only one calls `obtain`,
   * and all receive the new session.
   */
  replace(
    stale: StoredSession | undefined,
    obtain: (previous: Session | undefined) => Promise<Session>,
  ): Promise<StoredSession>;
}
