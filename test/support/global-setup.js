import 'reflect-metadata';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readShippedDefinitions } from '../../src/catalog/definitions/shipped-definitions.js';
import { loadDefinitions } from '../../src/catalog/loading/load-definitions.js';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { createOrm } from '../../src/database/orm.js';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import '../../src/service.js';
import { bundlePrograms } from './processes/bundle-programs.js';
import { deleteKilledRuns } from './processes/delete-killed-runs.js';

const MEMORY_FOLDER = '/dev/shm';
const REQUIRED_BYTES = 4 * 1024 ** 3;
const PREFIX = 'taproot-test-';

/** Starts one PostgreSQL server. All test files clone its template database. */
export default async function globalSetup() {
  flushCompileCache(); // Worker processes and services read the compiled code from this cache.
  const { BUNDLED_PROGRAMS } = process.env;
  const bundled = BUNDLED_PROGRAMS && bundlePrograms(join(PROJECT_ROOT, 'dist'), BUNDLED_PROGRAMS);
  const parent = await temporaryFolder();
  await deleteKilledRuns(parent, PREFIX);
  const folder = await mkdtemp(join(parent, PREFIX));
  await chmod(folder, 0o711); // PostgreSQL and PgBouncer run as other users and must be able to open the folder.
  process.env.TMPDIR = folder;
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };
  const postgres = await startEmbeddedPostgres({ folder, settings });
  const orm = createOrm(postgres.url);
  await migrate(orm, postgres.url);
  await loadDefinitions(orm.em, await readShippedDefinitions());
  await orm.close();
  await bundled;
  process.env.TEST_TEMPLATE_URL = postgres.url;
  let stopping;
  const stop = () => (stopping ??= postgres.stop().then(() => rm(folder, { recursive: true, force: true })));
  // The server does not receive an interrupt, because it has its own process group.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop().finally(() => process.exit(1)));
  return stop;
}

/**
 * Returns a folder in memory if enough memory is free. A database consists of 1,000 files, and PostgreSQL copies them
 * 10 times as fast in memory.
 */
async function temporaryFolder() {
  const { bavail = 0, bsize = 0 } = await statfs(MEMORY_FOLDER).catch(() => ({}));
  return bavail * bsize >= REQUIRED_BYTES ? MEMORY_FOLDER : tmpdir();
}
