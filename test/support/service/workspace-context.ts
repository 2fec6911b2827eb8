import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '../../../src/database/orm.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { newId } from '../../../src/kernel/ids.js';
import { ReaderFactory } from '../../../src/kernel/reading/reader-factory.js';
import { StorageQuota } from '../../../src/tenancy/storage-quota.js';
import type { WorkspaceContext } from '../../../src/tenancy/workspace-context.js';
import { writeAsCaller } from '../../../src/tenancy/workspace-transaction.js';
import { loginTo } from '../database/runtime-role.js';

export interface ContextServices {
  readonly orm: MikroORM;
  /**
   * Returns the context of a request by a new caller in a new workspace. The database contains no row for the caller or
   * the workspace.
   */
  aContext(): Promise<WorkspaceContext>;
  /** Returns the context of another request by the same caller. */
  again(context: WorkspaceContext): WorkspaceContext;
}

/** Uses a separate pool with the login of the service, as another process would. */
export function contextServicesOf({ databaseUrl }: { databaseUrl: string }): ContextServices {
  const orm = createOrm(loginTo({ databaseUrl }).url);
  const tables = new EntityTables(orm.getMetadata());
  const contextOf = (caller: WorkspaceContext['caller'], read: WorkspaceContext['read']): WorkspaceContext => ({
    ...{ requestId: newId(), caller, read, invitations: {} as WorkspaceContext['invitations'] },
    storage: new StorageQuota(undefined),
    write: (work) => writeAsCaller(orm.em, tables, caller, 'a request', work),
  });
  return {
    orm,
    aContext: async () => {
      const [tenantId, id] = [newId(), newId()];
      const readers = new ReaderFactory(tables, await orm.em.getConnection().getNativeClient());
      return contextOf({ kind: 'user', id, userId: id, tenantId, grants: new Set() }, readers.forTenant(tenantId));
    },
    again: ({ caller, read }) => contextOf(caller, read),
  };
}
