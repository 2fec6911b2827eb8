import type { EntityManager } from '@mikro-orm/postgresql';
import type { ArtifactContext } from '../artifacts/artifact-context.js';
import type { Semaphore } from '../kernel/concurrency/semaphore.js';
import type { EntityTables } from '../kernel/entities/entity-tables.js';
import type { FileStore } from '../kernel/files/file-store.js';
import type { Jobs } from '../kernel/jobs/jobs.js';
import type { StorageQuota } from '../tenancy/storage-quota.js';
import type { DuckDb } from './duckdb.js';
import type { LocalFileCache } from './local-file-cache.js';
import type { TableHooks } from './table-hooks.js';

/** What tables need beyond a request, once for a process. */
export interface TableServices {
  readonly em: EntityManager;
  readonly tables: EntityTables;
  readonly store: FileStore;
  readonly duckdb: DuckDb;
  readonly localFiles: LocalFileCache;
  /** For reading rows: each of them may take some hundred MiB. */
  readonly previewSlots: Semaphore;
  readonly jobs: Jobs;
  readonly storage: StorageQuota;
  /** Asked before rows come in. */
  readonly hooks: TableHooks;
  /** For files on their way into or out of the store, each in a folder of its own that is removed with it. */
  readonly folder: string;
  /** Told what a client is not. */
  readonly report: (error: unknown, requestId: string) => void;
}

export interface TableContext extends ArtifactContext {
  readonly tableServices: TableServices;
}
