import { DeliveryIntake, type IngestReceipt } from '../../../src/ingest/delivery-intake.js';
import { decodeId } from '../../../src/kernel/ids.js';
import type { LoadedTable, LoadedTables } from './loaded-tables.js';

/** Records for `WORD_SCHEMA`, as lines of JSON. */
export const words = (...texts: string[]): string[] => texts.map((word) => JSON.stringify({ word }));

/** Accepts deliveries for tables, which stay pending until a test flushes them. */
export function pendingBatches(world: LoadedTables) {
  const intake = new DeliveryIntake(world.parts, 10);
  let deliveries = 0;
  return {
    /** `more` overrides fields of the delivery. */
    accept(table: LoadedTable, lines: readonly string[], more: object = {}): Promise<IngestReceipt> {
      const body = lines.join('\n');
      deliveries += 1;
      return intake.accept(table, {
        ...{ key: `key ${deliveries}`, keptUntil: new Date(Date.now() + 60_000), receivedAt: new Date(), body },
        ...{ records: lines.length, bytes: Buffer.byteLength(body), ...more },
      });
    },
    /** Number of pending batches. */
    async waitingIn({ tapId }: LoadedTable): Promise<number> {
      const [row] = await world.ask('select count(*)::int from ingest_batch where tap_id = $1', [decodeId(tapId)]);
      return row?.count;
    },
  };
}
