/**
 * Only authentication creates the caller of a request. Jobs use `systemCaller`. The service derives the workspace of
 * each read and write from the caller.
 */
export interface Caller {
  readonly kind: 'user' | 'api_key' | 'system';
  readonly id: string;
  /** Id of the user who becomes the author of changes: the caller, or the creator of the API key. */
  readonly userId: string;
  readonly tenantId: string;
  readonly grants: ReadonlySet<string>;
}
