/** A signed-in user. The access token exists only in memory. */
export interface Session {
  /** The workspace that the user entered when signing in. */
  readonly workspace: string;
  /**
   * Renews the access token if it has expired or equals `rejected`. Throws `SessionEnded` if the user must sign in
   * again.
   */
  readonly token: (rejected?: string) => Promise<string>;
  /** After the sign-in, the browser returns to the path `next` of the console. */
  readonly signInAgain: (next: string) => Promise<void>;
  readonly signOut: () => Promise<void>;
}

/** The access token has expired or was revoked, and the session cannot renew it. */
export class SessionEnded extends Error {}
