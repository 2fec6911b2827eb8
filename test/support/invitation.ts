import { Tables } from '../../src/kernel/tables.js';
import { createOrm } from '../../src/orm.js';
import { createWorkspace } from '../../src/tenancy/create-workspace.js';
import { inviteUser } from '../../src/tenancy/invite-user.js';
import type { BuiltInRole } from '../../src/tenancy/permissions.js';

/** A workspace that nobody has signed in to yet, into which these addresses are invited. */
export async function aWorkspaceOfInvited(
  { databaseUrl }: { databaseUrl: string },
  slug: string,
  invited: Record<string, BuiltInRole>,
): Promise<void> {
  const orm = createOrm(databaseUrl);
  await createWorkspace(orm.em, new Tables(orm.getMetadata()), { slug, name: slug }, async (tx, roles) => {
    for (const [email, role] of Object.entries(invited)) {
      await inviteUser(tx, { email, roleIds: [roles.get(role)?.id as string] });
    }
  }).finally(() => orm.close());
}
