import type { DemoClient } from './demo-client.js';
import { waitFor } from './demo-client.js';
import { DemoConnection } from './demo-connection.js';
import { printDetail, printHeading } from './demo-output.js';
import type { DemoProcesses } from './demo-processes.js';

/** The demo kills the worker after this many requests for orders. */
const PAGES_BEFORE_KILL = 15;

export async function demoSyncs(client: DemoClient, processes: DemoProcesses): Promise<void> {
  const { vendor } = processes;
  const pagesRead = (): number => vendor.requests.filter((path) => path.startsWith('/v1/orders')).length;
  const worker = await processes.startService('pull');

  printHeading('1  Connect the Fake Shop with its API key');
  printDetail(`vendor at ${vendor.origin}, sync worker with process id ${worker.pid}`);
  vendor.faults.switchOn({ path: '/v1/orders', delayMs: 100 });
  const connection = await DemoConnection.create(client);
  printDetail('the service tests the key and starts the first sync');
  await waitFor('the first pages', async () => pagesRead() >= PAGES_BEFORE_KILL || undefined, 20);

  printHeading(`2  Kill the worker in the middle of the sync: kill -9 ${worker.pid}`);
  await worker.kill();
  const before = pagesRead();
  printDetail(
    `the worker has read ${before} pages of orders, but has not saved them; connection: ${await connection.status()}`,
  );
  await connection.printTables();

  printHeading('3  Start another worker');
  const next = await processes.startService('pull');
  const startedAt = Date.now();
  printDetail(
    `process id ${next.pid}; this worker continues the sync within 20 seconds, after the heartbeat of the killed worker has expired`,
  );
  await waitFor('the next page', async () => pagesRead() > before || undefined);
  printDetail(`the new worker continued the sync after ${Math.round((Date.now() - startedAt) / 1_000)} seconds`);
  await connection.printEndedSync();
  const { orders } = await connection.printTables();
  if (orders !== processes.orders) throw new Error(`The table should have ${processes.orders} orders.`);
  printDetail(`the vendor received ${pagesRead()} requests for orders; each order is in the table once`);

  printHeading('4  Change an order in the shop and sync again');
  vendor.faults.switchOff();
  vendor.data.saveOrder({ id: 7, status: 'returned' });
  await connection.startSync();
  await connection.printEndedSync();
  await connection.printTables();
}
