import 'reflect-metadata';
import { join } from 'node:path';
import { composeQuality } from '../../dist/src/compose-quality.js';
import { composeTables } from '../../dist/src/compose-tables.js';
import { FolderStore } from '../../dist/src/kernel/folder-store.js';
import { Jobs } from '../../dist/src/kernel/jobs.js';
import { Tables } from '../../dist/src/kernel/tables.js';
import { createOrm } from '../../dist/src/orm.js';
import { lookAtTable } from '../../dist/src/quality/look-at-table.js';
import { tableQualityQueue } from '../../dist/src/quality/table-quality-job.js';
import { StorageQuota } from '../../dist/src/tenancy/storage-quota.js';

/** A process that does nothing but look at tables, on a database and a folder that are there already: prints which it begins and ends with. */
const { DATABASE_URL: databaseUrl, FOLDER } = process.env;

const orm = createOrm(databaseUrl);
const tables = new Tables(orm.getMetadata());
const report = (error) => console.log(`trouble ${error.message}`);
const jobs = new Jobs({ databaseUrl, report, watchSeconds: 1, pollSeconds: 1 });
const store = await FolderStore.open(join(FOLDER, 'files'));
const ground = await composeTables(
  { dataDir: FOLDER },
  { em: orm.em, tables, store, jobs, storage: new StorageQuota(undefined), report },
);
const { quality } = composeQuality(ground);
const run = async (data, job) => {
  console.log(`begins ${data.tableId}`);
  await lookAtTable(quality, data, job);
  console.log(`ends ${data.tableId}`);
};
await jobs.start([{ ...tableQualityQueue, heartbeatSeconds: 10, concurrency: 4, run }]);
console.log('ready');
