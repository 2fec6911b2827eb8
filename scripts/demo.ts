import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { readConfig } from '../src/config.js';
import { mintLocalToken } from '../src/tenancy/local-issuer.js';
import { DEMO_WORKSPACE, demoAddress } from '../src/tenancy/seed-demo.js';
import { DemoClient } from './demo-client.js';
import { note, say } from './demo-output.js';
import { tellChecks, tellControlCharts } from './demo-results.js';
import { DemoTable } from './demo-table.js';

/** The batches are counted from the file on, so the first one that is pushed is number 1. */
const BEFORE = 20;
const BROKEN = BEFORE + 1;
const ALL = 30;

const CHART = 'demo-null-rate.svg';

await tour().catch(({ message }: Error) => {
  console.error(message);
  process.exitCode = 1;
});

/** A file becomes a table, batches are pushed into it, one of them broken, and control charts and checks tell. */
async function tour(): Promise<void> {
  const client = await connect();
  say('1  A CSV file of orders becomes a table');
  const table = await DemoTable.publish(client);
  say('2  What is expected of what senders bring');
  const contractId = await table.expectAddresses();
  const tell = async (): Promise<void> => {
    await tellControlCharts(client, contractId);
    await tellChecks(client, contractId);
  };

  say(`3  ${BEFORE} batches of about 50 orders are pushed`);
  await table.push(1, BEFORE);
  await tell();
  say('4  Another one, in which most orders lack the address');
  await table.push(BROKEN, BROKEN, { isBroken: true });
  await tell();
  say(`5  ${ALL - BROKEN} more as before; the broken one has no part in the limits`);
  await table.push(BROKEN + 1, ALL);
  await tell();

  await writeFile(CHART, await table.chartOf(`${contractId}:COLUMN_NULL_RATE:email`));
  say(`6  The chart of the share without email is in ${CHART}: open it in a browser`);
}

/** As the owner of the demo workspace, by a token of the local issuer. */
async function connect(): Promise<DemoClient> {
  const { auth, dataDir, publicUrl, host, port } = readConfig();
  if (auth) throw new Error('AUTH_ISSUER is set; the tour signs in with the local issuer');
  const url = process.env.TAPROOT_URL ?? publicUrl ?? `http://${host}:${port}`;
  const token = await mintLocalToken(dataDir, demoAddress('owner'));
  await fetch(`${url}/healthz`).catch(() => {
    throw new Error(`nothing answers at ${url}; npm start, or set TAPROOT_URL`);
  });
  note(`Taproot at ${url}, workspace ${DEMO_WORKSPACE}, as ${demoAddress('owner')}`);
  return new DemoClient(url, { Authorization: `Bearer ${token}`, 'X-Tenant': DEMO_WORKSPACE });
}
