/** A signed-in user. The access token exists only in memory. */
export interface Session {
  /** The workspace that the user named when signing in. */
  readonly workspace: string;
  /** The current access token; a provider session replaces it before it expires. */
  readonly token: () => string;
  /** Ends the session and leaves the page. */
  readonly signOut: () => Promise<void>;
}
