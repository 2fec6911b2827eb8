import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import { loadDefinitions } from '../../src/catalog/loading/load-definitions.js';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { createOrm } from '../../src/database/orm.js';
import { generateVendorDefinitions } from './generate-vendor-definitions.js';

export interface BenchDatabase {
  readonly url: string;
  readonly orm: MikroORM;
  /** Folder for the data of services and other files of the benchmark. */
  readonly dataDir: string;
  /** Stops PostgreSQL and removes its folder and `dataDir`. */
  close(): Promise<void>;
}

export async function openBenchDatabase(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'taproot-bench-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  await chmod(folder, 0o711); // PostgreSQL may run as another user.
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres') }).catch((error) =>
    removeFolder().then(() => Promise.reject(error)),
  );
  const orm = createOrm(postgres.url);
  const end = async (): Promise<void> => {
    await orm.close(true);
    await postgres.stop();
    await removeFolder();
  };
  let ended: Promise<void> | undefined;
  const close = (): Promise<void> => (ended ??= end());
  await migrate(orm, postgres.url).catch((error) => close().then(() => Promise.reject(error)));
  return { url: postgres.url, orm, dataDir, close };
}

/**
 * Vendors per transaction. One transaction for all vendors would take too much memory, because the unit of work holds
 * all entities.
 */
const BATCH = 250;

/** Returns the duration in seconds. */
export async function loadVendors({ orm }: BenchDatabase, from: number, to: number): Promise<number> {
  const startedAt = performance.now();
  for (let at = from; at < to; at += BATCH)
    await loadDefinitions(orm.em, generateVendorDefinitions(Math.min(BATCH, to - at), at));
  return (performance.now() - startedAt) / 1_000;
}
