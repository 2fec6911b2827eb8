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
import { StagingArea } from '../../../src/tables/staging/staging-area.js';
import { StorageQuota } from '../../../src/tenancy/storage-quota.js';

/**
 * A process on an existing database and folder. Its TASK is either to load single rows into a table of words, printing
 * each word after its commit, or to compact the table repeatedly. It runs until it is killed.
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
const services = { em, tables, store, jobs, storage, folder, duckdb: new DuckDb({ folder }), report: () => undefined };

const tasks = {
  async load() {
    const word = randomUUID();
    const staged = await StagingArea.open(join(folder, randomUUID()), schema);
    staged.add({ batch: word, row: 1, receivedAt: new Date().toISOString() }, [word]);
    const outcome = await withTableLease(services, tenantId, tableId, async (lease) => {
      const added = await writeTableFiles(
        services,
        { ...table, schema, schemaVersion: 1, enforcesQuota: false },
        staged,
      );
      await runTenantTransaction(em, tables, tenantId, (tx) => commitTableFiles(tx, lease, { added }));
    });
    await staged.close();
    if (outcome !== 'taken') console.log(`loaded ${word}`);
  },
  async compact() {
    await compactTable(services, table, new AbortController().signal);
    await sleep(5);
  },
};

console.log('ready');
for (;;) await tasks[TASK]();
