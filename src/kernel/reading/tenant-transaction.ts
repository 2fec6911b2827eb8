import type { EntityManager } from '@mikro-orm/postgresql';
import type { EntityTables } from '../entities/entity-tables.js';
import { TENANT_FILTER, TENANT_SETTING } from '../entities/tenant-table.js';
import { DatabaseUnavailable, toDatabaseError } from '../errors.js';
import { decodeId } from '../ids.js';
import { type QueryConnection, Reader } from './reader.js';

/** One transaction in one workspace: entities for writing, and reads that see what was flushed. */
export interface TenantTransaction {
  readonly em: EntityManager;
  readonly read: Reader;
}

/** Runs `work` in a transaction that sees and takes rows of this tenant alone. */
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
    await fork.flush(); // so that all that is left to fail is the COMMIT, whose errors MikroORM hands on as the driver threw them
    await fork.commit().catch((error: unknown) => {
      throw toDatabaseError(error);
    });
    return result;
  } catch (error) {
    await fork.rollback().catch(() => undefined); // of a connection that is lost, PostgreSQL rolls back by itself
    throw error;
  }
}

interface CompiledQuery {
  sql: unknown;
  parameters: readonly unknown[];
  query: { kind: 'RawNode' };
  queryId: { queryId: string };
}

/** The transaction's own connection, which PostgreSQL can ask one thing at a time. */
function connectionOf(em: EntityManager): QueryConnection {
  const context = em.getTransactionContext() as unknown as {
    executeQuery(query: CompiledQuery): Promise<{ rows: (string | null)[][] }>;
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    query(statement) {
      // Kysely hands `sql` on to `pg` as it is, which takes a whole statement in its place.
      const { values = [] } = statement;
      const compiled: CompiledQuery = {
        sql: statement,
        parameters: values,
        query: { kind: 'RawNode' },
        queryId: { queryId: statement.name ?? '' },
      };
      const ask = () => context.executeQuery(compiled);
      const answer = last.then(ask, ask);
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}
