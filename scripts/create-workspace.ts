import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.js';
import { openDatabase } from '../src/database.js';
import { Tables } from '../src/kernel/tables.js';
import { createLog } from '../src/log.js';
import { createWorkspace } from '../src/tenancy/create-workspace.js';
import { inviteUser } from '../src/tenancy/invite-user.js';
import type { Role } from '../src/tenancy/role.js';
import { WORKSPACE_SLUG } from '../src/tenancy/workspace-slug.js';

const { values } = parseArgs({
  options: { slug: { type: 'string' }, name: { type: 'string' }, owner: { type: 'string' } },
});
const { slug, name = slug, owner } = values;
if (!slug || !name || !owner || !WORKSPACE_SLUG.test(slug)) {
  console.error('npm run workspace -- --slug acme --name "Acme Ltd" --owner ada@example.com');
  console.error('The slug is a DNS label: a-z, 0-9 and hyphens inside, 63 at most.');
  process.exit(1);
}
try {
  const database = await openDatabase(readConfig(), createLog('warn'), async () => undefined);
  const { orm } = database;
  await createWorkspace(orm.em, new Tables(orm.getMetadata()), { slug, name }, async (tx, roles) => {
    await inviteUser(tx, { email: owner, roleIds: [(roles.get('owner') as Role).id] });
  }).finally(database.close);
  console.log(`Workspace ${slug} is there; ${owner} owns it from the first sign-in on, within 14 days.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
