import type { EntityManager } from '@mikro-orm/postgresql';
import type { ArtifactContext } from '../artifacts/artifact-context.js';
import type { FileStore } from '../kernel/file-store.js';
import type { Jobs } from '../kernel/jobs.js';
import type { Tables } from '../kernel/tables.js';
import type { Turns } from '../kernel/turns.js';
import type { StorageQuota } from '../tenancy/storage-quota.js';
import type { DuckDb } from './duckdb.js';
import type { LocalFiles } from './local-files.js';
import type { TableWatch } from './table-watch.js';

/** What tables need beyond a request, once for a process. */
export interface TableParts {
  readonly em: EntityManager;
  readonly tables: Tables;
  readonly store: FileStore;
  readonly duckdb: DuckDb;
  readonly localFiles: LocalFiles;
  /** For reading rows: each of them may take some hundred MiB. */
  readonly previews: Turns;
  readonly jobs: Jobs;
  readonly storage: StorageQuota;
  /** Asked before rows come in. */
  readonly watch: TableWatch;
  /** For files on their way into or out of the store, each in a folder of its own that is removed with it. */
  readonly folder: string;
  /** Told what a client is not. */
  readonly report: (error: unknown, requestId: string) => void;
}

export interface TableContext extends ArtifactContext {
  readonly landed: TableParts;
}
