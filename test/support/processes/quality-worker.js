import 'reflect-metadata';
import { join } from 'node:path';
import { composeQuality } from '../../../src/compose-quality.js';
import { composeTables } from '../../../src/compose-tables.js';
import { createOrm } from '../../../src/database/orm.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { FolderStore } from '../../../src/kernel/files/folder-store.js';
import { Jobs } from '../../../src/kernel/jobs/jobs.js';
import { tableQualityQueue } from '../../../src/quality/contracts/table-quality-job.js';
import { monitorTable } from '../../../src/quality/runs/monitor-table.js';
import { StorageQuota } from '../../../src/tenancy/storage-quota.js';

/** A process that only monitors tables, on an existing database and folder. It prints the start and end of each job. */
const { DATABASE_URL: databaseUrl, FOLDER } = process.env;

const orm = createOrm(databaseUrl);
const tables = new EntityTables(orm.getMetadata());
const report = (error) => console.log(`trouble ${error.message}`);
const jobs = new Jobs({ databaseUrl, report, superviseSeconds: 1, pollSeconds: 1 });
const store = await FolderStore.open(join(FOLDER, 'files'));
const services = await composeTables(
  { dataDir: FOLDER },
  { em: orm.em, tables, store, jobs, storage: new StorageQuota(undefined), report },
);
const { quality } = composeQuality(services);
const run = async (data, job) => {
  console.log(`begins ${data.tableId}`);
  await monitorTable(quality, data, job);
  console.log(`ends ${data.tableId}`);
};
await jobs.start([{ ...tableQualityQueue, heartbeatSeconds: 10, concurrency: 4, run }]);
console.log('ready');
