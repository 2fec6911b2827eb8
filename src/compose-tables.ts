import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { KnownDefinitions } from './catalog/loading/known-definitions.js';
import type { Config } from './config.js';
import type { ReportError } from './http/report-error.js';
import { Semaphore } from './kernel/concurrency/semaphore.js';
import type { EntityTables } from './kernel/entities/entity-tables.js';
import type { FileStore } from './kernel/files/file-store.js';
import type { Jobs } from './kernel/jobs/jobs.js';
import { rethrowDataDirError } from './rethrow-data-dir-error.js';
import { DuckDb } from './tables/duckdb.js';
import { sweepWorkFolder } from './tables/files/sweep-work-folder.js';
import { LocalFileCache } from './tables/local-file-cache.js';
import type { TableServices } from './tables/table-context.js';
import type { StorageQuota } from './tenancy/storage-quota.js';

interface TableDependencies {
  readonly em: EntityManager;
  readonly tables: EntityTables;
  readonly store: FileStore;
  readonly jobs: Jobs;
  readonly storage: StorageQuota;
  readonly report: ReportError;
}

const MAX_CONCURRENT_PREVIEWS = 2;

/**
 * A second thread would take more CPU time and three times as much memory. DuckDB would keep the rows of both threads
 * in memory to write them in order.
 */
const WRITER_THREADS = 1;

/** Throws `StartupError`. */
export async function composeTables(
  { dataDir, maxMergedTableBytes, tableVersionSeconds }: Config,
  outside: TableDependencies,
): Promise<Omit<TableServices, 'hooks'>> {
  const folder = join(dataDir, 'landing');
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(rethrowDataDirError(dataDir));
  await sweepWorkFolder(folder);
  const localFiles = new LocalFileCache(outside.store, folder);
  return {
    ...outside,
    folder,
    duckdb: new DuckDb({ folder }),
    writer: new DuckDb({ folder, threads: WRITER_THREADS, releasesMemory: true }),
    smallWriter: new DuckDb({ folder, threads: WRITER_THREADS }),
    localFiles,
    definitions: new KnownDefinitions(),
    maxMergedTableBytes,
    versionSeconds: tableVersionSeconds,
    previewSlots: new Semaphore(MAX_CONCURRENT_PREVIEWS),
  };
}
