import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { readConfig } from '../src/config.js';
import { issueLocalToken } from '../src/tenancy/authentication/local-issuer.js';
import { DEMO_WORKSPACE, demoEmail } from '../src/tenancy/workspaces/seed-demo.js';
import { DemoClient } from './demo-client.js';
import { printDetail, printHeading } from './demo-output.js';
import { printChecks, printControlCharts } from './demo-results.js';
import { DemoTable } from './demo-table.js';

/** The file is batch 0, so the first batch that is pushed is batch 1. */
const NORMAL_BATCHES = 20;
const BROKEN_BATCH = NORMAL_BATCHES + 1;
const BATCH_COUNT = 30;

const CHART = 'demo-null-rate.svg';

await tour().catch(({ message }: Error) => {
  console.error(message);
  process.exitCode = 1;
});

async function tour(): Promise<void> {
  const client = await connect();
  printHeading('1  Publish a CSV file of orders as a table');
  const table = await DemoTable.publish(client);
  printHeading('2  Change the contract of the table');
  const contractId = await table.requireEmails();
  const printResults = async (): Promise<void> => {
    await printControlCharts(client, contractId);
    await printChecks(client, contractId);
  };

  printHeading(`3  Push ${NORMAL_BATCHES} batches of about 50 orders`);
  await table.push(1, NORMAL_BATCHES);
  await printResults();
  printHeading('4  Push a faulty batch: most orders lack email');
  await table.push(BROKEN_BATCH, BROKEN_BATCH, { isFaulty: true });
  await printResults();
  printHeading(`5  Push ${BATCH_COUNT - BROKEN_BATCH} more good batches; the limits exclude the faulty batch`);
  await table.push(BROKEN_BATCH + 1, BATCH_COUNT);
  await printResults();

  await writeFile(CHART, await table.chartOf(`${contractId}:COLUMN_NULL_RATE:email`));
  printHeading(`6  Open ${CHART} in a browser: the control chart of the null rate of email`);
}

/** Connects as the owner of the demo workspace, with a token of the local issuer. */
async function connect(): Promise<DemoClient> {
  const { auth, dataDir, publicUrl, host, port } = readConfig();
  if (auth) throw new Error('AUTH_ISSUER is set, but the demo requires the local issuer.');
  const url = process.env.TAPROOT_URL ?? publicUrl ?? `http://${host}:${port}`;
  const token = await issueLocalToken(dataDir, demoEmail('owner'));
  await fetch(`${url}/healthz`).catch(() => {
    throw new Error(`No service responds at ${url}. Run npm start, or set TAPROOT_URL.`);
  });
  printDetail(`Taproot at ${url}, workspace ${DEMO_WORKSPACE}, as ${demoEmail('owner')}`);
  return new DemoClient(url, { Authorization: `Bearer ${token}`, 'X-Tenant': DEMO_WORKSPACE });
}
