import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from './config.js';
import { explainDataDir } from './explain-data-dir.js';
import type { FileStore } from './kernel/file-store.js';
import type { Jobs } from './kernel/jobs.js';
import type { Tables } from './kernel/tables.js';
import { Turns } from './kernel/turns.js';
import type { ReportError } from './report-error.js';
import { DuckDb } from './tables/duckdb.js';
import { LocalFiles } from './tables/local-files.js';
import { sweepLandingFolder } from './tables/sweep-landing-folder.js';
import type { TableParts } from './tables/table-context.js';
import type { StorageQuota } from './tenancy/storage-quota.js';

interface Outside {
  readonly em: EntityManager;
  readonly tables: Tables;
  readonly store: FileStore;
  readonly jobs: Jobs;
  readonly storage: StorageQuota;
  readonly report: ReportError;
}

/** Tables whose rows are read at once. */
const PREVIEWS = 2;

/** What tables need beyond a request, once for a process, but for who watches over them. Throws `StartupError`. */
export async function composeTables({ dataDir }: Config, outside: Outside): Promise<Omit<TableParts, 'watch'>> {
  const folder = join(dataDir, 'landing');
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(explainDataDir(dataDir));
  await sweepLandingFolder(folder);
  const localFiles = new LocalFiles(outside.store, folder);
  return { ...outside, folder, duckdb: new DuckDb({ folder }), localFiles, previews: new Turns(PREVIEWS) };
}
