import type { Pool } from 'pg';
import { decodeId } from './ids.js';
import { Reader, scopedConnection } from './reading.js';
import type { Scope } from './scoped-query.js';
import type { Tables } from './tables.js';
import { TENANT_SETTING } from './tenant-table.js';

/** Hands out readers, one for each request: each remembers what it has read. */
export class Readers {
  constructor(
    private readonly tables: Tables,
    private readonly pool: Pool,
  ) {}

  /** Of what belongs to no workspace. */
  ofPlatform(): Reader {
    return new Reader(this.tables, this.pool);
  }

  ofTenant(tenantId: string): Reader {
    const scope = { setting: TENANT_SETTING, value: decodeId(tenantId) as string };
    return new Reader(this.tables, scopedConnection(this.pool, scope), tenantId);
  }

  /** Of what policies show under another setting. */
  under(scope: Scope): Reader {
    return new Reader(this.tables, scopedConnection(this.pool, scope));
  }
}
