import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOrm } from '../../../src/database/orm.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { FolderStore } from '../../../src/kernel/files/folder-store.js';
import { Jobs } from '../../../src/kernel/jobs/jobs.js';
import { runTenantTransaction } from '../../../src/kernel/reading/tenant-transaction.js';
import { DuckDb } from '../../../src/tables/duckdb.js';
import { commitTableFiles } from '../../../src/tables/files/commit-table-files.js';
import { compactTable } from '../../../src/tables/files/compact-table.js';
import { withTableLease } from '../../../src/tables/files/table-lease.js';
import { writeTableFiles } from '../../../src/tables/files/write-table-files.js';
import { LocalFileCache } from '../../../src/tables/local-file-cache.js';
import { withMergedFiles } from '../../../src/tables/merge/merge-into-table.js';
import { StagingArea } from '../../../src/tables/staging/staging-area.js';
import { withRecordColumns } from '../../../src/tables/table-schema.js';
import { StorageQuota } from '../../../src/tenancy/storage-quota.js';

/**
 * Repeats TASK on an existing database and folder until the test kills the process. `load` adds a row to a table of
 * words, `merge` merges a new version of one of 20 words, and `compact` compacts the table. Prints each row after its
 * commit.
 */
const { DATABASE_URL: databaseUrl, FOLDER, TASK, TENANT: tenantId, TABLE: tableId } = process.env;
const table = { tenantId, tableId };
const schema = { fields: [{ name: 'word', type: 'String' }] };

const folder = join(FOLDER, `staging-${process.pid}`);
mkdirSync(folder);
const orm = createOrm(databaseUrl);
const { em } = orm;
const tables = new EntityTables(orm.getMetadata());
const store = await FolderStore.open(join(FOLDER, 'files'));
const jobs = new Jobs({ databaseUrl, report: () => undefined });
await jobs.start([]);
const storage = new StorageQuota(undefined);
const duckdb = new DuckDb({ folder });
const localFiles = new LocalFileCache(store, folder);
const databases = { duckdb, writer: duckdb, smallWriter: duckdb };
const services = { em, tables, store, jobs, storage, folder, ...databases, localFiles, report: () => undefined };

/** Commits one row under the lease of the table. Returns false if another writer holds the lease. */
async function write(batch, fields, values, commit) {
  const staged = await StagingArea.open(join(folder, randomUUID()), fields);
  staged.add({ batch, row: 1, receivedAt: new Date().toISOString() }, values);
  const target = { ...table, schema: fields, schemaVersion: 1, enforcesQuota: false };
  const outcome = await withTableLease(services, tenantId, tableId, async (lease) =>
    commit(lease, await writeTableFiles(services, target, staged), target),
  );
  await staged.close();
  return outcome !== 'taken';
}

const commitTo = (lease, change) =>
  runTenantTransaction(em, tables, tenantId, (tx) =>
    commitTableFiles(tx, lease, { ...change, cause: { kind: 'push' } }),
  );

let merges = 0;
const tasks = {
  async load() {
    const word = randomUUID();
    const isLoaded = await write(word, schema, [word], (lease, added) => commitTo(lease, { added }));
    if (isLoaded) console.log(`loaded ${word}`);
  },
  async merge() {
    const [key, version] = [`word-${merges++ % 20}`, new Date().toISOString()];
    const row = [`${key}=${version}`, key, version, null];
    const isMerged = await write(randomUUID(), withRecordColumns(schema), row, (lease, files, target) =>
      withMergedFiles(services, target, files, { deletedRows: 'remove', signal: lease.signal }, (merged) =>
        commitTo(lease, merged),
      ),
    );
    if (isMerged) console.log(`loaded ${key}=${version}`);
  },
  async compact() {
    await compactTable(services, table, new AbortController().signal);
    await sleep(5);
  },
};

console.log('ready');
for (;;) await tasks[TASK]();
