import type { Pool } from 'pg';
import type { EntityTables } from '../entities/entity-tables.js';
import { TENANT_SETTING } from '../entities/tenant-table.js';
import { decodeId } from '../ids.js';
import { type QueryConnection, Reader } from './reader.js';
import { BoundedQuery, type Scope, ScopedQuery } from './scoped-query.js';

/** Creates readers. Use a new reader per request, because a reader caches its rows. */
export class ReaderFactory {
  constructor(
    private readonly tables: EntityTables,
    private readonly pool: Pool,
  ) {}

  /** Creates a reader for rows that belong to no workspace. */
  forPlatform(): Reader {
    return new Reader(this.tables, pooledConnection(this.pool));
  }

  forTenant(tenantId: string): Reader {
    const scope = { setting: TENANT_SETTING, value: decodeId(tenantId) as string };
    return new Reader(this.tables, scopedConnection(this.pool, scope), tenantId);
  }

  /** Creates a reader for rows that a policy of row level security permits under a setting other than the tenant. */
  forScope(scope: Scope): Reader {
    return new Reader(this.tables, scopedConnection(this.pool, scope));
  }
}

/** Runs each statement in its own transaction under the scope. */
export function scopedConnection(pool: Pool, scope: Scope): QueryConnection {
  return { query: (statement) => pool.query(new ScopedQuery(statement, scope) as never) as never };
}

/** Runs each statement on any connection of a pool. */
export function pooledConnection(pool: Pool): QueryConnection {
  return { query: (statement) => pool.query(new BoundedQuery(statement) as never) as never };
}
