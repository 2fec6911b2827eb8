import type { MikroORM } from '@mikro-orm/postgresql';
import { newId } from '../../src/kernel/ids.js';
import { Readers } from '../../src/kernel/readers.js';
import { Tables } from '../../src/kernel/tables.js';
import { createOrm } from '../../src/orm.js';
import { StorageQuota } from '../../src/tenancy/storage-quota.js';
import type { WorkspaceContext } from '../../src/tenancy/workspace-context.js';
import { writeAs } from '../../src/tenancy/workspace-transaction.js';
import { loginTo } from './runtime-role.js';

export interface ContextParts {
  readonly orm: MikroORM;
  /** What a request of a new caller in a new workspace is given, which needs no row of either. */
  aContext(): Promise<WorkspaceContext>;
  /** The same caller, as if by another request. */
  again(context: WorkspaceContext): WorkspaceContext;
}

/** On a pool of its own, like that of one more process, logged in as the service is. */
export function contextsOn({ databaseUrl }: { databaseUrl: string }): ContextParts {
  const orm = createOrm(loginTo({ databaseUrl }).url);
  const tables = new Tables(orm.getMetadata());
  const contextOf = (caller: WorkspaceContext['caller'], read: WorkspaceContext['read']): WorkspaceContext => ({
    ...{ requestId: newId(), caller, read, invitations: {} as WorkspaceContext['invitations'] },
    storage: new StorageQuota(undefined),
    write: (work) => writeAs(orm.em, tables, caller, 'a request', work),
  });
  return {
    orm,
    aContext: async () => {
      const [tenantId, id] = [newId(), newId()];
      const readers = new Readers(tables, await orm.em.getConnection().getNativeClient());
      return contextOf({ kind: 'user', id, userId: id, tenantId, grants: new Set() }, readers.ofTenant(tenantId));
    },
    again: ({ caller, read }) => contextOf(caller, read),
  };
}
