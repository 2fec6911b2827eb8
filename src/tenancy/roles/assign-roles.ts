import { ref } from '@mikro-orm/core';
import { relationEquals } from '../../kernel/entities/tenant-table.js';
import type { Role } from '../role.js';
import type { User } from '../user.js';
import { UserRole } from '../user-role.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';

export async function assignRoles(tx: WorkspaceTransaction, user: User, roles: readonly Role[]): Promise<void> {
  await tx.em.nativeDelete(UserRole, relationEquals('user_id', user.id));
  for (const role of roles) tx.create(UserRole, { user: ref(user), role: ref(role) });
}
