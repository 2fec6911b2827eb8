import type { EntityManager } from '@mikro-orm/postgresql';
import type { EntityTables } from '../../kernel/entities/entity-tables.js';
import { AppError } from '../../kernel/errors.js';
import type { ReaderFactory } from '../../kernel/reading/reader-factory.js';
import { findWorkspaceId } from '../authentication/find-workspace.js';
import { localIdentityOf } from '../authentication/local-issuer.js';
import { assignRoles } from '../roles/assign-roles.js';
import { User } from '../user.js';
import { createWorkspace } from './create-workspace.js';

export const DEMO_WORKSPACE = 'demo';

export function demoEmail(role: string, slug = DEMO_WORKSPACE): string {
  return `${role}@${slug}.test`;
}

interface SeedServices {
  readonly em: EntityManager;
  readonly tables: EntityTables;
  readonly readers: ReaderFactory;
}

/** Creates one user per built-in role, for tokens of the local issuer. Does nothing if the workspace exists. */
export async function seedDemo({ em, tables, readers }: SeedServices, slug = DEMO_WORKSPACE): Promise<void> {
  if (await findWorkspaceId(readers, slug)) return;
  const name = slug.charAt(0).toUpperCase() + slug.slice(1);
  await createWorkspace(em, tables, { slug, name }, async (tx, roles) => {
    for (const [builtIn, role] of roles) {
      const email = demoEmail(builtIn, slug);
      const user = tx.create(User, { email, name: `${name} ${builtIn}`, status: 'ACTIVE', ...localIdentityOf(email) });
      await tx.em.flush();
      await assignRoles(tx, user, [role]);
    }
  }).catch((error: unknown) => {
    // CONFLICT: another process has created the workspace.
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
  });
}
