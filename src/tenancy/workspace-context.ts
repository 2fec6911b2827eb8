import type { RequestContext } from '../kernel/reading/request-context.js';
import type { Caller } from './caller.js';
import type { InvitationDelivery } from './invitation-delivery.js';
import type { StorageQuota } from './storage-quota.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';

export interface WorkspaceContext extends RequestContext {
  readonly caller: Caller;
  readonly invitations: InvitationDelivery;
  readonly storage: StorageQuota;
  write<Result>(work: (tx: WorkspaceTransaction) => Promise<Result>): Promise<Result>;
}
