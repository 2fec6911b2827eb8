import type { RequestContext } from '../kernel/request-context.js';
import type { InvitationDelivery } from './invitation-delivery.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';

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

/** What a resolver behind an access rule is given. */
export interface WorkspaceContext extends RequestContext {
  readonly caller: Caller;
  readonly invitations: InvitationDelivery;
  /** Runs `work` in one transaction of the caller's workspace. */
  write<Result>(work: (tx: WorkspaceTransaction) => Promise<Result>): Promise<Result>;
}
