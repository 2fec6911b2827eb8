import type { EntityManager } from '@mikro-orm/postgresql';
import type { EntityTables } from '../entities/entity-tables.js';
import { TENANT_FILTER, TENANT_SETTING } from '../entities/tenant-table.js';
import { DatabaseUnavailable, toDatabaseError } from '../errors.js';
import { decodeId } from '../ids.js';
import { runInTransaction } from '../transaction-statement.js';
import { type QueryConnection, Reader } from './reader.js';

/** `em` writes entities, and `read` reads flushed changes. */
export interface TenantTransaction {
  readonly em: EntityManager;
  readonly read: Reader;
}

/** The transaction can read and write only rows of this tenant. */
export async function runTenantTransaction<Result>(
  em: EntityManager,
  tables: EntityTables,
  tenantId: string,
  work: (tx: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  const fork = em.fork({ session: { variables: { [TENANT_SETTING]: decodeId(tenantId) as string } } });
  fork.setFilterParams(TENANT_FILTER, { tenantId });
  await fork.begin().catch((error: unknown) => {
    throw new DatabaseUnavailable(error);
  });
  try {
    const result = await work({ em: fork, read: new Reader(tables, connectionOf(fork), tenantId) });
    // Sends all changes before the COMMIT, because MikroORM does not wrap driver errors of a COMMIT.
    await fork.flush();
    await fork.commit().catch((error: unknown) => {
      throw toDatabaseError(error);
    });
    return result;
  } catch (error) {
    await fork.rollback().catch(() => undefined); // If the connection is lost, PostgreSQL rolls back by itself.
    throw error;
  }
}

function connectionOf(em: EntityManager): QueryConnection {
  return { query: async (statement) => ({ rows: await runInTransaction(em, statement) }) };
}
