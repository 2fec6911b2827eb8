import { randomUUID } from 'node:crypto';
import { DeliveryIntake, type IngestReceipt } from '../../../src/ingest/delivery-intake.js';
import { flushBatches } from '../../../src/ingest/flush-batches.js';
import { decodeId } from '../../../src/kernel/ids.js';
import type { TableServices } from '../../../src/tables/table-context.js';
import type { LoadedTable, LoadedTables } from './loaded-tables.js';

export const words = (...texts: string[]): string[] => texts.map((word) => JSON.stringify({ word }));

/** Deliveries remain pending until a test flushes them. */
export function pendingBatches(world: LoadedTables) {
  const intake = new DeliveryIntake(world.services, 10);
  let deliveries = 0;
  let received = 0;
  return {
    /** `more` overrides fields of the delivery. */
    accept(table: LoadedTable, lines: readonly string[], more: object = {}): Promise<IngestReceipt> {
      const body = lines.join('\n');
      deliveries += 1;
      received = Math.max(received + 1, Date.now()); // Batches with the same time have a random order.
      return intake.accept(table, {
        ...{ key: `key ${deliveries}`, keptUntil: new Date(Date.now() + 60_000), receivedAt: new Date(received), body },
        ...{ records: lines.length, bytes: Buffer.byteLength(body), ...more },
      });
    },
    flush({ tenantId, tapId }: LoadedTable, services: TableServices = world.services, attempt = 1): Promise<void> {
      const job = { id: randomUUID(), attempt, signal: new AbortController().signal };
      return flushBatches(services, { tenantId, tapId }, job);
    },
    async waitingIn({ tapId }: LoadedTable): Promise<number> {
      const [row] = await world.query('select count(*)::int from ingest_batch where tap_id = $1', [decodeId(tapId)]);
      return row?.count;
    },
  };
}
