import type { EntityManager } from '@mikro-orm/postgresql';
import type { ArtifactContext } from '../artifacts/artifact-context.js';
import type { KnownDefinitions } from '../catalog/loading/known-definitions.js';
import type { Semaphore } from '../kernel/concurrency/semaphore.js';
import type { EntityTables } from '../kernel/entities/entity-tables.js';
import type { FileStore } from '../kernel/files/file-store.js';
import type { Jobs } from '../kernel/jobs/jobs.js';
import type { StorageQuota } from '../tenancy/storage-quota.js';
import type { DuckDb } from './duckdb.js';
import type { LocalFileCache } from './local-file-cache.js';
import type { TableHooks } from './table-hooks.js';

export interface TableServices {
  readonly em: EntityManager;
  readonly tables: EntityTables;
  readonly store: FileStore;
  readonly duckdb: DuckDb;
  /** DuckDB that needs little memory to write new rows to files. */
  readonly writer: DuckDb;
  /** DuckDB that needs little CPU time to write a small number of new rows to files. */
  readonly smallWriter: DuckDb;
  readonly localFiles: LocalFileCache;
  /** Limits concurrent previews, each of which can take several hundred MiB of memory. */
  readonly previewSlots: Semaphore;
  /** Maximum size of a table into which the service merges new rows. Readers merge larger tables. */
  readonly maxMergedTableBytes: number;
  readonly jobs: Jobs;
  readonly definitions: KnownDefinitions;
  readonly storage: StorageQuota;
  /** Seconds for which readers can read a replaced version of a table. Defaults to an hour. */
  readonly versionSeconds?: number;
  /** Hooks that the service calls before rows become part of a table, and when a tap is deleted or restored. */
  readonly hooks: TableHooks;
  /** Working folder. Each upload, merge and publication creates its own subfolder and removes it at the end. */
  readonly folder: string;
  /** Logs an error whose details clients must not see. */
  readonly report: (error: unknown, requestId: string) => void;
}

export interface TableContext extends ArtifactContext {
  readonly tableServices: TableServices;
}
