import { ConcurrencySlot } from '../kernel/concurrency/concurrency-slot.js';
import { TokenBucket } from '../kernel/concurrency/token-bucket.js';
import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { ApiKey } from './api-keys/api-key.js';
import { ApiKeyResolver } from './api-keys/api-key.resolver.js';
import { AuditEntry } from './audit-entry.js';
import { AuditEntryResolver } from './audit-entry.resolver.js';
import { tenancyLists } from './edges.js';
import { IdempotentRequest } from './idempotency/idempotent-request.js';
import { Invitation } from './invitation.js';
import { ActorResolver } from './members/actor.resolver.js';
import { InvitationResolver } from './members/invitation.resolver.js';
import { UserResolver } from './members/user.resolver.js';
import { Role } from './role.js';
import { RoleResolver } from './roles/role.resolver.js';
import { StorageUsage } from './storage-usage.js';
import { User } from './user.js';
import { UserRole } from './user-role.js';
import { Workspace } from './workspace.js';
import { WorkspaceResolver } from './workspaces/workspace.resolver.js';

export const tenancy: DomainManifest = {
  entities: [
    Workspace,
    Role,
    User,
    UserRole,
    Invitation,
    ApiKey,
    AuditEntry,
    IdempotentRequest,
    StorageUsage,
    TokenBucket,
    ConcurrencySlot,
  ],
  resolvers: [
    WorkspaceResolver,
    UserResolver,
    RoleResolver,
    InvitationResolver,
    ApiKeyResolver,
    AuditEntryResolver,
    ActorResolver,
  ],
  lists: tenancyLists,
};
