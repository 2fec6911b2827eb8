import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../kernel/errors.js';
import type { Readers } from '../kernel/readers.js';
import type { Tables } from '../kernel/tables.js';
import { assignRoles } from './assign-roles.js';
import { createWorkspace } from './create-workspace.js';
import { findWorkspace } from './find-workspace.js';
import { localIdentity } from './local-issuer.js';
import { User } from './user.js';

export const DEMO_WORKSPACE = 'demo';

/** The address of a demo user, such as `owner@demo.test`. */
export function demoAddress(role: string, slug = DEMO_WORKSPACE): string {
  return `${role}@${slug}.test`;
}

interface Parts {
  readonly em: EntityManager;
  readonly tables: Tables;
  readonly readers: Readers;
}

/** A workspace to try things out in, with a user of each built-in role, who signs in with tokens of the local issuer. */
export async function seedDemo({ em, tables, readers }: Parts, slug = DEMO_WORKSPACE): Promise<void> {
  if (await findWorkspace(readers, slug)) return;
  const name = slug.charAt(0).toUpperCase() + slug.slice(1);
  await createWorkspace(em, tables, { slug, name }, async (tx, roles) => {
    for (const [builtIn, role] of roles) {
      const email = demoAddress(builtIn, slug);
      const user = tx.create(User, { email, name: `${name} ${builtIn}`, status: 'ACTIVE', ...localIdentity(email) });
      await tx.em.flush();
      await assignRoles(tx, user, [role]);
    }
  }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error; // another process was faster
  });
}
