import 'reflect-metadata';
import { parseArgs } from 'node:util';
import type { MikroORM } from '@mikro-orm/postgresql';
import { readConfig } from '../src/config.js';
import { joinDatabase } from '../src/database/open-database.js';
import { EntityTables } from '../src/kernel/entities/entity-tables.js';
import { checkLimits } from '../src/kernel/entities/field-limits.js';
import { createLogger } from '../src/kernel/logger.js';
import { ReaderFactory } from '../src/kernel/reading/reader-factory.js';
import { findWorkspaceId } from '../src/tenancy/authentication/find-workspace.js';
import { WORKSPACE_SLUG } from '../src/tenancy/authentication/workspace-slug.js';
import { InvitationArgs } from '../src/tenancy/members/invitation.inputs.js';
import { inviteUser } from '../src/tenancy/members/invite-user.js';
import { Role } from '../src/tenancy/role.js';
import { systemCaller, writeAsCaller } from '../src/tenancy/workspace-transaction.js';
import { createWorkspace } from '../src/tenancy/workspaces/create-workspace.js';

const { values } = parseArgs({
  options: { slug: { type: 'string' }, name: { type: 'string' }, owner: { type: 'string' } },
});
const { slug, name = slug, owner } = values;
if (!slug || !name || !owner || !WORKSPACE_SLUG.test(slug)) {
  console.error('Usage: npm run workspace -- --slug acme --name "Acme Ltd" --owner ada@example.com');
  console.error('--slug is a DNS label: 1 to 63 characters a-z, 0-9 and hyphens, without a hyphen at either end.');
  process.exit(1);
}
try {
  checkLimits(Object.assign(new InvitationArgs(), { email: owner, roleIds: ['owner'] }));
  const database = await joinDatabase(readConfig(), createLogger('warn'), async () => undefined);
  await invite(database.orm, slug, name, owner).finally(database.close);
  console.log(`${owner} owns the workspace ${slug} after the first sign-in. The invitation expires in 14 days.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/**
 * Invites an owner. Creates the workspace if it does not exist. An existing workspace gets another owner, because the
 * invitation of the first owner may have expired.
 */
async function invite({ em }: MikroORM, slug: string, name: string, email: string): Promise<void> {
  const tables = new EntityTables(em.getMetadata());
  const readers = new ReaderFactory(tables, await em.getConnection().getNativeClient());
  const id =
    (await findWorkspaceId(readers, slug)) ??
    (await createWorkspace(em, tables, { slug, name }, async () => undefined));
  await writeAsCaller(em, tables, systemCaller(id), 'create-workspace', async (tx) => {
    const owner = await tx.em.findOneOrFail(Role, { builtIn: 'owner' });
    await inviteUser(tx, { email, roleIds: [owner.id] });
  });
}
