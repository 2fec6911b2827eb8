import type { TableSchema } from '../../../src/tables/table-schema.js';
import { type LoadedTable, loadedTables, storedRows } from '../tables/loaded-tables.js';
import { pendingBatches } from '../tables/pending-batches.js';
import { changeContract, qualityOf } from './quality-results.js';

export const ITEMS_SCHEMA: TableSchema = {
  fields: [
    { name: 'word', type: 'String' },
    { name: 'size', type: 'Integer' },
    { name: 'price', type: 'Decimal', scale: 2 },
  ],
};

export async function gatedTables() {
  const world = await loadedTables();
  const { accept: acceptLines, flush, waitingIn } = pendingBatches(world);
  return { world, accept, flush, aWatchedTable, qualityOfTap, wordsIn, waitingIn };

  async function accept(table: LoadedTable, ...records: object[]): Promise<void> {
    await acceptLines(
      table,
      records.map((record) => JSON.stringify(record)),
    );
  }

  async function aWatchedTable(changes: Parameters<typeof changeContract>[3]): Promise<LoadedTable> {
    const table = await world.aTable(ITEMS_SCHEMA);
    await accept(table, { word: 'first', size: 1 });
    await flush(table);
    await changeContract(world.query, table.tableId, 'tap', changes);
    return table;
  }

  function qualityOfTap({ tableId }: LoadedTable) {
    return qualityOf(world.query, tableId, 'tap');
  }

  async function wordsIn(table: LoadedTable): Promise<unknown[]> {
    return (await storedRows(world, table)).map(({ word }) => word).sort();
  }
}
