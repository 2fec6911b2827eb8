import type { Domain } from '../kernel/domain.js';
import { TokenBucket } from '../kernel/token-bucket.js';
import { ApiKey } from './api-key.js';
import { ApiKeyResolver } from './api-key.resolver.js';
import { AuditEntry } from './audit-entry.js';
import { AuditEntryResolver } from './audit-entry.resolver.js';
import { IdempotentRequest } from './idempotent-request.js';
import { Invitation } from './invitation.js';
import { InvitationResolver } from './invitation.resolver.js';
import { Role } from './role.js';
import { RoleResolver } from './role.resolver.js';
import { StorageUsage } from './storage-usage.js';
import { User } from './user.js';
import { UserResolver } from './user.resolver.js';
import { UserRole } from './user-role.js';
import { Workspace } from './workspace.js';
import { WorkspaceResolver } from './workspace.resolver.js';

export const tenancy: Domain = {
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
  ],
  resolvers: [WorkspaceResolver, UserResolver, RoleResolver, InvitationResolver, ApiKeyResolver, AuditEntryResolver],
};
