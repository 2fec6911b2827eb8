/** Result of a token exchange or sign-in. All fields are secret. */
export interface Session {
  /** Token that later requests send. */
  readonly token: string;
  readonly refreshToken?: string;
  /** Expiry, in milliseconds since 1970. Undefined if the source did not return an expiry. */
  readonly expiresAt?: number;
  /** Time of the exchange, in milliseconds since 1970. */
  readonly obtainedAt: number;
  /** Scopes requested by the sign-in, if they were fewer than the scopes of the strategy. */
  readonly requestedScopes?: readonly string[];
  /** Granted scopes, if the source returned them. */
  readonly scopes?: readonly string[];
  /** Values of address variables with source `oauth_response`, by name. */
  readonly addressValues?: Readonly<Record<string, string>>;
}

export interface StoredSession {
  readonly version: number;
  readonly session: Session;
}

/** Stores the session of one credential, shared by all callers. */
export interface SessionStore {
  read(): Promise<StoredSession | undefined>;
  /**
   * Replaces `stale` with the session from `obtain`, and stores the new session before returning it. Among concurrent
   * callers, one calls `obtain`, which receives the currently stored session; the other callers receive the session
   * that it stored.
   */
  replace(
    stale: StoredSession | undefined,
    obtain: (previous: Session | undefined) => Promise<Session>,
  ): Promise<StoredSession>;
}
