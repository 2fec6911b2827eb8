import type { EntityManager } from '@mikro-orm/postgresql';
import type { EntityTables } from '../entities/entity-tables.js';
import { TENANT_FILTER, TENANT_SETTING } from '../entities/tenant-table.js';
import { DatabaseUnavailable, toDatabaseError } from '../errors.js';
import { decodeId } from '../ids.js';
import { runInTransaction } from '../transaction-statement.js';
import { type QueryConnection, Reader } from './reader.js';

/** A transaction in one workspace: entities for writing, and a reader that sees flushed changes. */
export interface TenantTransaction {
  readonly em: EntityManager;
  readonly read: Reader;
}

/** Runs `work` in a transaction that can read and write only rows of this tenant. */
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
    await fork.flush(); // sends all changes now, because MikroORM does not wrap driver errors of the COMMIT
    await fork.commit().catch((error: unknown) => {
      throw toDatabaseError(error);
    });
    return result;
  } catch (error) {
    await fork.rollback().catch(() => undefined); // if the connection is lost, PostgreSQL rolls back by itself
    throw error;
  }
}

/** The connection of the transaction, which runs one statement at a time. */
function connectionOf(em: EntityManager): QueryConnection {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query(statement) {
      const ask = async () => ({ rows: await runInTransaction<(string | null)[]>(em, statement) });
      const answer = last.then(ask, ask);
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}
