/** Who asks, in which workspace. Made by authentication alone; everything about a tenant comes from here. */
export interface Caller {
  readonly kind: 'user' | 'api_key' | 'system';
  /** Of the user or the API key. */
  readonly id: string;
  /** The user in whose name things are made: the caller, or who made the API key. */
  readonly userId: string;
  readonly tenantId: string;
  readonly grants: ReadonlySet<string>;
}
