import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import type { DemoClient } from './demo-client.js';
import { printDetail, printHeading } from './demo-output.js';
import { DemoProcesses } from './demo-processes.js';
import { printChecks, printControlCharts } from './demo-results.js';
import { demoSyncs } from './demo-syncs.js';
import { DemoTable } from './demo-table.js';

const ORDERS = 2_000;

const NORMAL_BATCHES = 20;
const BROKEN_BATCH = NORMAL_BATCHES + 1;
const BATCH_COUNT = 30;

const CHART = 'demo-null-rate.svg';

printDetail('Starting PostgreSQL and the service in a temporary folder.');
const processes = await DemoProcesses.start(ORDERS);
process.once('SIGINT', () => {
  processes.close().finally(() => process.exit(1));
});
try {
  const client = await processes.ownerOf(await processes.startService('rest'));
  await demoSyncs(client, processes);
  await demoQuality(client);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await processes.close();
}

async function demoQuality(client: DemoClient): Promise<void> {
  printHeading('5  Publish a CSV file of orders as a table');
  const table = await DemoTable.publish(client);
  printHeading('6  Change the contract of the table');
  const contractId = await table.requireEmails();
  const printResults = async (): Promise<void> => {
    await printControlCharts(client, contractId);
    await printChecks(client, contractId);
  };

  printHeading(`7  Push ${NORMAL_BATCHES} batches of about 50 orders`);
  await table.push(1, NORMAL_BATCHES);
  await printResults();
  printHeading('8  Push a faulty batch: most orders have no email address');
  await table.push(BROKEN_BATCH, BROKEN_BATCH, { isFaulty: true });
  await printResults();
  printHeading(`9  Push ${BATCH_COUNT - BROKEN_BATCH} more good batches; the control limits ignore the faulty batch`);
  await table.push(BROKEN_BATCH + 1, BATCH_COUNT);
  await printResults();

  await writeFile(CHART, await table.chartOf(`${contractId}:COLUMN_NULL_RATE:email`));
  printHeading(`10  Open ${CHART} in a browser: the control chart of the null rate of email`);
}
