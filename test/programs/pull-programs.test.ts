import { afterAll, describe, expect, it } from 'vitest';
import { aDatabase } from '../support/database/database.js';
import { callProgram } from '../support/programs/call-program.js';
import { anInstalledProgram } from '../support/programs/installed-program.js';
import { aProgramCatalog, comparable, SyncedProgram } from '../support/programs/synced-program.js';
import { aService } from '../support/service/service.js';

const CUSTOMERS = 60;
const ORDERS = 430;
const CHANGED = [3, 77, 430];

interface Item {
  readonly id: number;
  readonly note?: string;
}

const START = Date.UTC(2026, 0, 1);
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

/** Several orders have the same time, and some pages end between such orders. */
const shop = {
  profile: { name: 'shop' },
  customers: numbers(CUSTOMERS).map((id) => ({ id, name: `Zoë ${id} 🛒` })),
  notes: numbers(CUSTOMERS * 2).map((id) => ({ id, customerId: 1 + (id % 50), text: `Note "${id}"` })),
  orders: numbers(ORDERS).map((id) => ({
    ...{ id, note: `Order ${id}` },
    updatedAt: new Date(START + Math.floor(id / 7) * 250).toISOString(),
  })),
};

const database = await aDatabase({ empty: true });
const jsonServer = await anInstalledProgram({
  ...{ packageSpec: 'json-server@0.17.4', program: 'json-server/lib/cli/bin.js' },
  files: { 'db.json': JSON.stringify(shop) },
  args: (port) => ['--host', '127.0.0.1', '--port', `${port}`, '--quiet', 'db.json'],
});
const parseServer = await anInstalledProgram({
  ...{ packageSpec: 'parse-server@9.10.0', program: 'parse-server/bin/parse-server' },
  args: (port) => [
    ...['--appId', 'shop', '--masterKey', 'master', '--restAPIKey', 'rest', '--databaseURI', database.url],
    ...['--serverURL', `http://127.0.0.1:${port}/parse`, '--host', '127.0.0.1', '--port', `${port}`],
  ],
});
const catalog = await aProgramCatalog({ 'parse-server': parseServer.origin, 'json-server': jsonServer.origin });
const service = aService({
  ...{ CATALOG_DIR: catalog.folder, EGRESS_ALLOW: '127.0.0.0/8' },
  ...{ JOBS: 'all', INITIAL_SYNC: 'on' },
});
const owner = service.as('owner');
afterAll(async () => {
  await Promise.all([jsonServer.close(), parseServer.close(), catalog.remove()]);
  await database.drop();
});

/** Sorts the records as JSON texts, so that rows and records have the same order. */
const sorted = (records: readonly object[]): string[] =>
  records.map((record) => JSON.stringify(Object.entries(comparable(record)).sort())).sort();

/** Compares the tables with the records of the vendor. Then changes orders and compares again. */
async function compare(
  program: SyncedProgram,
  taps: Readonly<Record<string, () => Promise<object[]>>>,
  changeOrders: () => Promise<unknown>,
): Promise<void> {
  const first = await program.endedSync();
  expect(first).toMatchObject({ status: 'succeeded', trigger: 'initial' });
  for (const [tap, read] of Object.entries(taps))
    expect(sorted(await program.rowsOf(tap)), tap).toEqual(sorted(await read()));

  await changeOrders();
  await program.startSync();
  const second = await program.endedSync();
  expect(second).toMatchObject({ status: 'succeeded', trigger: 'manual' });
  const orders = second.tapRuns.find((run: { tap: { name: string } }) => run.tap.name === 'orders');
  expect(orders.recordsWritten).toBe(CHANGED.length);
  const rows = await program.rowsOf('orders');
  expect(sorted(rows)).toEqual(sorted((await taps.orders?.()) ?? []));

  await program.startSync();
  await program.endedSync();
  expect(await program.rowsOf('orders')).toEqual(rows);
}

describe('the tables of a connection contain each record of the program once, in its newest version:', () => {
  it('json-server', async () => {
    const at = (path: string): string => `${jsonServer.origin}/${path}`;
    const program = await SyncedProgram.connect(service, owner, 'json-server', { token: 'any' });
    const taps = ['customers', 'notes', 'orders'].map((tap) => [tap, () => callProgram<object[]>(at(tap))] as const);
    await compare(program, Object.fromEntries(taps), () =>
      Promise.all(
        CHANGED.map((id) => {
          const body = { note: 'changed', updatedAt: new Date(START + 600_000 + id).toISOString() };
          return callProgram<Item>(at(`orders/${id}`), { method: 'PATCH', body });
        }),
      ),
    );
  });

  it('parse-server', async () => {
    const master = { 'x-parse-application-id': 'shop', 'x-parse-master-key': 'master' };
    const at = (path: string): string => `${parseServer.origin}/parse/classes/${path}`;
    const create = (name: string, body: object) =>
      callProgram<{ objectId: string }>(at(name), { method: 'POST', body, headers: master });
    for (const { name } of shop.customers) await create('Customer', { name });
    const ids = await Promise.all([create('Order', { number: 1, note: 'Order 1' })]);
    for (let from = 2; from <= ORDERS; from += 20) {
      const batch = shop.orders.slice(from - 1, from + 19);
      ids.push(...(await Promise.all(batch.map(({ id, note }) => create('Order', { number: id, note })))));
    }
    const read = async (name: string): Promise<object[]> => {
      const { results } = await callProgram<{ results: object[] }>(at(`${name}?limit=10000`), { headers: master });
      return results;
    };
    const program = await SyncedProgram.connect(service, owner, 'parse-server', { restKey: 'rest' });
    await compare(program, { customers: () => read('Customer'), orders: () => read('Order') }, async () => {
      const changed = CHANGED.map((number) => ids[number - 1]?.objectId as string);
      for (const id of changed)
        await callProgram(at(`Order/${id}`), { method: 'PUT', body: { note: 'changed' }, headers: master });
    });
  });

  it('parse-server rejects a wrong key', async () => {
    const program = await SyncedProgram.connect(service, owner, 'parse-server', { restKey: 'wrong' });
    await expect
      .poll(async () => (await program.connection()).connectionStatus, { timeout: 60_000 })
      .toBe('credential_error');
  });
});
