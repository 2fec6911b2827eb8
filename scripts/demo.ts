import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { readConfig } from '../src/config.js';
import { mintLocalToken } from '../src/tenancy/local-issuer.js';
import { DEMO_WORKSPACE, demoAddress } from '../src/tenancy/seed-demo.js';
import { DemoClient } from './demo-client.js';
import { note, say } from './demo-output.js';
import { printChecks, printControlCharts } from './demo-results.js';
import { DemoTable } from './demo-table.js';

/** Batch 0 is the uploaded file. */
const LAST_GOOD_BATCH = 20;
const FAULTY_BATCH = LAST_GOOD_BATCH + 1;
const LAST_BATCH = 30;

const CHART = 'demo-null-rate.svg';

await tour().catch(({ message }: Error) => {
  console.error(message);
  process.exitCode = 1;
});

async function tour(): Promise<void> {
  const client = await connect();
  say('1  Publish a CSV file of orders as a table');
  const table = await DemoTable.publish(client);
  say('2  Change the contract of the table');
  const contractId = await table.requireEmails();
  const printResults = async (): Promise<void> => {
    await printControlCharts(client, contractId);
    await printChecks(client, contractId);
  };

  say(`3  Push ${LAST_GOOD_BATCH} batches of about 50 orders`);
  await table.push(1, LAST_GOOD_BATCH);
  await printResults();
  say('4  Push a faulty batch: most orders lack email');
  await table.push(FAULTY_BATCH, FAULTY_BATCH, { isFaulty: true });
  await printResults();
  say(`5  Push ${LAST_BATCH - FAULTY_BATCH} more good batches; the limits exclude the faulty batch`);
  await table.push(FAULTY_BATCH + 1, LAST_BATCH);
  await printResults();

  await writeFile(CHART, await table.chartOf(`${contractId}:COLUMN_NULL_RATE:email`));
  say(`6  Open ${CHART} in a browser: the control chart of the null rate of email`);
}

/** Connects as the owner of the demo workspace, with a token of the local issuer. */
async function connect(): Promise<DemoClient> {
  const { auth, dataDir, publicUrl, host, port } = readConfig();
  if (auth) throw new Error('AUTH_ISSUER is set, but the demo requires the local issuer.');
  const url = process.env.TAPROOT_URL ?? publicUrl ?? `http://${host}:${port}`;
  const token = await mintLocalToken(dataDir, demoAddress('owner'));
  await fetch(`${url}/healthz`).catch(() => {
    throw new Error(`No service responds at ${url}. Run npm start, or set TAPROOT_URL.`);
  });
  note(`Taproot at ${url}, workspace ${DEMO_WORKSPACE}, as ${demoAddress('owner')}`);
  return new DemoClient(url, { Authorization: `Bearer ${token}`, 'X-Tenant': DEMO_WORKSPACE });
}
