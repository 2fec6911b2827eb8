import type { EntityManager } from '@mikro-orm/postgresql';
import { BatchCoalescer } from '../kernel/concurrency/batch-coalescer.js';
import type { EntityTables } from '../kernel/entities/entity-tables.js';
import { AppError, toAppError } from '../kernel/errors.js';
import type { Jobs } from '../kernel/jobs/jobs.js';
import { runTenantTransaction } from '../kernel/reading/tenant-transaction.js';
import { addStorageUsage, type StorageQuota } from '../tenancy/storage-quota.js';
import { flushBatchesQueue } from './flush-batches-job.js';
import { FlushWindow } from './flush-window.js';
import { PendingBatches } from './pending-batches.js';
import { type Delivery, findDeliveries, type StoredDelivery, storeDeliveries } from './store-deliveries.js';
import { TapBacklog } from './tap-backlog.js';

/** Deliveries of a transaction, and bytes of their records, where there is more than one. */
const MAX_GROUP_DELIVERIES = 500;
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/** Bytes of records that wait in this process to be stored. */
const MAX_WAITING_BYTES = 128 * 1024 * 1024;

/** Taps that something is remembered of; those of which nothing more comes are forgotten. */
const MAX_TRACKED_TAPS = 1_000;

/** Milliseconds after which deliveries whose time is over are cleared away, and how many of them at once. */
const PRUNE_INTERVAL_MS = 60_000;
const MAX_PRUNED_DELIVERIES = 5_000;

/** Seconds after which a sender tries again where the storage quota is used up: records take less space once they are in their table. */
const QUOTA_RETRY_SECONDS = 300;

export interface IntakeServices {
  readonly em: EntityManager;
  readonly tables: EntityTables;
  readonly jobs: Jobs;
  readonly storage: StorageQuota;
}

export interface TargetTap {
  readonly tenantId: string;
  readonly tapId: string;
}

/** What the sender is told: records that were taken, those that had been before, and the batch that they are in. */
export interface IngestReceipt {
  readonly accepted: number;
  readonly duplicates: number;
  readonly batchId: string | null;
}

/** What a process remembers of a tap. */
interface TapTraffic {
  readonly window: FlushWindow;
  readonly backlog: TapBacklog;
  readonly pending: PendingBatches;
  clearAt: number;
}

type StoreOutcome = StoredDelivery | { readonly error: unknown };

/**
 * Keeps what senders deliver. Deliveries that come to one tap at the same time share a transaction, which has them land as well: either all of that is
 * durable or nothing, and the faster they come the less each costs.
 */
export class DeliveryIntake {
  readonly #taps = new Map<string, TapTraffic>();
  readonly #groups: BatchCoalescer<{ tap: TargetTap; delivery: Delivery }, StoreOutcome>;
  #waitingBytes = 0;

  constructor(
    private readonly parts: IntakeServices,
    private readonly flushSeconds: number,
    /** Bytes of a tap that may wait for their table; by default 1 GiB. */
    private readonly mostOfTap?: number,
  ) {
    this.#groups = new BatchCoalescer<{ tap: TargetTap; delivery: Delivery }, StoreOutcome>({
      batchSize: groupSize,
      run: (_key, items) =>
        this.#storeAll(
          (items[0] as { tap: TargetTap }).tap,
          items.map(({ delivery }) => delivery),
        ),
    });
  }

  /**
   * Resolves once the delivery is durable. One without records is nothing, and not remembered. Throws UNAVAILABLE where the database is away, or too much
   * waits for it or for the table; STORAGE_QUOTA_EXCEEDED; IDEMPOTENCY_KEY_REUSED where another body came under the key.
   */
  async accept(tap: TargetTap, delivery: Delivery): Promise<IngestReceipt> {
    const { records, bytes } = delivery;
    if (records === 0) return { accepted: 0, duplicates: 0, batchId: null };
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES)
      throw new AppError('UNAVAILABLE', 'Too many records wait to be stored; try again shortly.');
    if (!(await this.#trafficOf(tap).backlog.reserve(bytes)))
      throw new AppError('UNAVAILABLE', 'Too many records of the tap wait for their table; try again later.');
    this.#waitingBytes += bytes;
    const outcome = await this.#groups
      .submit(`${tap.tenantId} ${tap.tapId}`, { tap, delivery })
      .finally(() => (this.#waitingBytes -= bytes));
    if ('error' in outcome) throw outcome.error;
    const { isNew, batchId = null, hasDifferentBody } = outcome;
    if (hasDifferentBody)
      throw new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another body.');
    return { accepted: isNew ? records : 0, duplicates: isNew ? 0 : records, batchId };
  }

  /** What the database refuses in the one is no reason to refuse the others. */
  async #storeAll(tap: TargetTap, deliveries: readonly Delivery[]): Promise<readonly StoreOutcome[]> {
    try {
      return await this.#store(tap, deliveries);
    } catch (error) {
      if (deliveries.length === 1 || toAppError(error).code === 'UNAVAILABLE') throw error;
      const alone: StoreOutcome[] = [];
      for (const delivery of deliveries)
        alone.push(...(await this.#store(tap, [delivery]).catch((error: unknown) => [{ error }])));
      return alone;
    }
  }

  #store(tap: TargetTap, deliveries: readonly Delivery[]): Promise<StoredDelivery[]> {
    const { em, tables, jobs, storage } = this.parts;
    const { tenantId, tapId } = tap;
    return runTenantTransaction(em, tables, tenantId, async (tx) => {
      await storage
        .requireSpace(tx.read, tenantId, sumOf(deliveries), QUOTA_RETRY_SECONDS)
        .catch(async (full: unknown) => {
          const known = await findDeliveries(tx.read, tenantId, tapId, deliveries);
          if (!deliveries.every(({ key }) => known.has(key))) throw full; // a repetition takes no room
        });
      const outcomes = await storeDeliveries(tx.read, tenantId, tapId, deliveries);
      const traffic = this.#trafficOf(tap);
      const fresh = sumOf(deliveries.filter((_, nth) => outcomes[nth]?.isNew));
      if (fresh > 0) await jobs.enqueue(tx.em, flushBatchesQueue, { tenantId, tapId }, traffic.window.add(fresh));
      if (Date.now() >= traffic.clearAt) {
        traffic.clearAt = Date.now() + PRUNE_INTERVAL_MS;
        await traffic.pending.pruneDeliveries(tx.read, MAX_PRUNED_DELIVERIES);
      }
      await addStorageUsage(tx.read, tenantId, 'records', fresh);
      return outcomes;
    });
  }

  #trafficOf({ tenantId, tapId }: TargetTap): TapTraffic {
    const known = this.#taps.get(tapId);
    if (known) return known;
    if (this.#taps.size >= MAX_TRACKED_TAPS)
      for (const [id, { window: round }] of this.#taps) if (round.isOver()) this.#taps.delete(id);
    const { em, tables } = this.parts;
    const waiting = new PendingBatches(tenantId, tapId);
    const ask = () => runTenantTransaction(em, tables, tenantId, ({ read }) => waiting.bytes(read));
    const traffic: TapTraffic = {
      ...{ window: new FlushWindow(this.flushSeconds), backlog: new TapBacklog(ask, this.mostOfTap), pending: waiting },
      clearAt: Date.now() + PRUNE_INTERVAL_MS,
    };
    this.#taps.set(tapId, traffic);
    return traffic;
  }
}

function sumOf(deliveries: readonly Delivery[]): number {
  return deliveries.reduce((sum, { bytes }) => sum + bytes, 0);
}

function groupSize(items: readonly { delivery: Delivery }[]): number {
  let bytes = 0;
  const end = items.findIndex(({ delivery }, nth) => {
    bytes += delivery.bytes;
    return nth > 0 && (nth === MAX_GROUP_DELIVERIES || bytes > MAX_GROUP_BYTES);
  });
  return end < 0 ? items.length : end;
}
