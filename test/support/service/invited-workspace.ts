import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { inviteUser } from '../../../src/tenancy/members/invite-user.js';
import type { BuiltInRole } from '../../../src/tenancy/permissions.js';
import { createWorkspace } from '../../../src/tenancy/workspaces/create-workspace.js';
import { keptOrm } from '../database/kept-orms.js';

export async function createWorkspaceWithInvitations(
  { databaseUrl }: { databaseUrl: string },
  slug: string,
  invited: Record<string, BuiltInRole>,
): Promise<void> {
  const orm = keptOrm(databaseUrl);
  await createWorkspace(orm.em, new EntityTables(orm.getMetadata()), { slug, name: slug }, async (tx, roles) => {
    for (const [email, role] of Object.entries(invited)) {
      await inviteUser(tx, { email, roleIds: [roles.get(role)?.id as string] });
    }
  });
}
