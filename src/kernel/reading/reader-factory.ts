import type { Pool } from 'pg';
import type { EntityTables } from '../entities/entity-tables.js';
import { TENANT_SETTING } from '../entities/tenant-table.js';
import { decodeId } from '../ids.js';
import { type QueryConnection, Reader } from './reader.js';
import { BoundedQuery, type Scope, ScopedQuery } from './scoped-query.js';

/** A reader caches its rows, so each request requires a new reader. */
export class ReaderFactory {
  constructor(
    private readonly tables: EntityTables,
    private readonly pool: Pool,
  ) {}

  /** For rows that belong to no workspace. */
  forPlatform(): Reader {
    return new Reader(this.tables, pooledConnection(this.pool));
  }

  forTenant(tenantId: string): Reader {
    const scope = { setting: TENANT_SETTING, value: decodeId(tenantId) as string };
    return new Reader(this.tables, scopedConnection(this.pool, scope), tenantId);
  }

  /** A row level security policy must grant access to rows under the setting of `scope`. */
  forScope(scope: Scope): Reader {
    return new Reader(this.tables, scopedConnection(this.pool, scope));
  }
}

/** Runs each statement in its own transaction under the scope. */
export function scopedConnection(pool: Pool, scope: Scope): QueryConnection {
  return { query: (statement) => pool.query(new ScopedQuery(statement, scope) as never) as never };
}

export function pooledConnection(pool: Pool): QueryConnection {
  return { query: (statement) => pool.query(new BoundedQuery(statement) as never) as never };
}
