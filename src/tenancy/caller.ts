/**
 * The authenticated user or API key and its workspace. Only authentication creates a caller, and all tenant scoping
 * derives from the caller.
 */
export interface Caller {
  readonly kind: 'user' | 'api_key' | 'system';
  /** Id of the user or the API key. */
  readonly id: string;
  /** The user recorded as author of changes: the caller, or the creator of the API key. */
  readonly userId: string;
  readonly tenantId: string;
  readonly grants: ReadonlySet<string>;
}
