import { randomUUID } from 'node:crypto';
import { DeliveryIntake } from '../../../src/ingest/delivery-intake.js';
import { flushBatches } from '../../../src/ingest/flush-batches.js';
import { decodeId } from '../../../src/kernel/ids.js';
import type { TableServices } from '../../../src/tables/table-context.js';
import type { TableSchema } from '../../../src/tables/table-schema.js';
import { type LoadedTable, loadedTables, storedRows } from '../tables/loaded-tables.js';
import { changeContract, qualityOf } from './quality-results.js';

export const ITEMS_SCHEMA: TableSchema = {
  fields: [
    { name: 'word', type: 'String' },
    { name: 'size', type: 'Integer' },
    { name: 'price', type: 'Decimal', scale: 2 },
  ],
};

/** Fixtures for batches and the tables that they are loaded into. */
export async function gatedTables() {
  const world = await loadedTables();
  const batches = new DeliveryIntake(world.parts, 10);

  let last = 0;
  return { world, accept, land, aWatchedTable, qualityOfTap, wordsIn, waitingIn };

  /** Stores the records as a pending batch. */
  async function accept(table: LoadedTable, ...records: object[]): Promise<void> {
    const body = records.map((record) => JSON.stringify(record)).join('\n');
    last += 1;
    await batches.accept(table, {
      ...{ key: `key ${last}`, keptUntil: new Date(Date.now() + 60_000), receivedAt: new Date(), body },
      ...{ records: records.length, bytes: Buffer.byteLength(body) },
    });
  }

  function land({ tenantId, tapId }: LoadedTable, parts: TableServices = world.parts, attempt = 1): Promise<void> {
    const job = { id: randomUUID(), attempt, signal: new AbortController().signal };
    return flushBatches(parts, { tenantId, tapId }, job);
  }

  /** Creates a table with one row, whose tap contract has the given changes. */
  async function aWatchedTable(changes: Parameters<typeof changeContract>[3]): Promise<LoadedTable> {
    const table = await world.aTable(ITEMS_SCHEMA);
    await accept(table, { word: 'first', size: 1 });
    await land(table);
    await changeContract(world.ask, table.tableId, 'tap', changes);
    return table;
  }

  function qualityOfTap({ tableId }: LoadedTable) {
    return qualityOf(world.ask, tableId, 'tap');
  }

  async function wordsIn(table: LoadedTable): Promise<unknown[]> {
    return (await storedRows(world, table)).map(({ word }) => word).sort();
  }

  async function waitingIn({ tapId }: LoadedTable): Promise<number> {
    const [row] = await world.ask('select count(*)::int from ingest_batch where tap_id = $1', [decodeId(tapId)]);
    return row?.count;
  }
}
