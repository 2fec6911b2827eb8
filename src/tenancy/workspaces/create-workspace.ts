import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { EntityTables } from '../../kernel/entities/entity-tables.js';
import { AppError } from '../../kernel/errors.js';
import { newId } from '../../kernel/ids.js';
import { BUILT_IN_ROLES, type BuiltInRole } from '../permissions.js';
import { Role } from '../role.js';
import { Workspace } from '../workspace.js';
import { systemCaller, type WorkspaceTransaction, writeAsCaller } from '../workspace-transaction.js';

export interface NewWorkspace {
  readonly slug: string;
  readonly name: string;
}

/** `populate` adds rows in the same transaction. Throws CONFLICT if another workspace has the slug. */
export async function createWorkspace(
  em: EntityManager,
  tables: EntityTables,
  { slug, name }: NewWorkspace,
  populate: (tx: WorkspaceTransaction, roles: ReadonlyMap<BuiltInRole, Role>) => Promise<void>,
): Promise<string> {
  const id = newId();
  await writeAsCaller(em, tables, systemCaller(id), 'create-workspace', async (tx) => {
    const workspace = Object.assign(new Workspace(), { id, slug, name });
    tx.em.persist(workspace);
    tx.recordAudit('workspace.made', workspace, { slug, name });
    const roles = new Map<BuiltInRole, Role>();
    for (const builtIn of Object.keys(BUILT_IN_ROLES) as BuiltInRole[])
      roles.set(builtIn, tx.create(Role, { name: builtIn, builtIn }));
    await tx.em.flush().catch((error: unknown) => {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      throw new AppError('CONFLICT', `A workspace with the slug ${slug} already exists.`, { cause: error });
    });
    await populate(tx, roles);
  });
  return id;
}
