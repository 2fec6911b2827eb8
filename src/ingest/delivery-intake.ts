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

/** Limits of one transaction. A single delivery may exceed the byte limit. */
const MAX_GROUP_DELIVERIES = 500;
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/** Maximum size of the received records that are not stored yet. */
const MAX_WAITING_BYTES = 128 * 1024 * 1024;

/** Above this number, the process forgets the state of idle taps. */
const MAX_TRACKED_TAPS = 1_000;

const PRUNE_INTERVAL_MS = 60_000;
const MAX_PRUNED_DELIVERIES = 5_000;

/** Before the retry, a flush job may free space, because records need less space in the table than in a batch. */
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

export interface IngestReceipt {
  readonly accepted: number;
  /** Records that the service ignored, because an earlier delivery had the same idempotency key. */
  readonly duplicates: number;
  /** Null if the delivery is empty or the service no longer knows its batch. */
  readonly batchId: string | null;
}

interface TapTraffic {
  readonly window: FlushWindow;
  readonly backlog: TapBacklog;
  readonly pending: PendingBatches;
  /** In milliseconds since 1970. */
  pruneAt: number;
}

type StoreOutcome = StoredDelivery | { readonly error: unknown };

/**
 * Concurrent deliveries to one tap share a transaction, so the cost per delivery falls as the load rises. The
 * transaction also enqueues the flush job, so stored records always have a flush job.
 */
export class DeliveryIntake {
  readonly #taps = new Map<string, TapTraffic>();
  readonly #groups: BatchCoalescer<{ tap: TargetTap; delivery: Delivery }, StoreOutcome>;
  #waitingBytes = 0;

  constructor(
    private readonly services: IntakeServices,
    private readonly flushSeconds: number,
    /** Maximum size of the acknowledged records that the tap's table does not contain yet. Defaults to 1 GiB. */
    private readonly maxBacklogBytes?: number,
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
   * Resolves when the delivery is durable. Throws UNAVAILABLE if the database is unavailable or a backlog limit is
   * reached. Throws STORAGE_QUOTA_EXCEEDED if the records would exceed the quota. Throws IDEMPOTENCY_KEY_REUSED if an
   * earlier delivery used the key with a different body.
   */
  async accept(tap: TargetTap, delivery: Delivery): Promise<IngestReceipt> {
    const { records, bytes } = delivery;
    if (records === 0) return { accepted: 0, duplicates: 0, batchId: null };
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES)
      throw new AppError('UNAVAILABLE', 'The service is already storing as many records as it can. Try again shortly.');
    this.#waitingBytes += bytes;
    const outcome = await this.#storeWithinBacklog(tap, delivery).finally(() => (this.#waitingBytes -= bytes));
    if ('error' in outcome) throw outcome.error;
    const { isNew, batchId = null, hasDifferentBody } = outcome;
    if (hasDifferentBody)
      throw new AppError(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key was used with a different body. Send a new key.',
      );
    return { accepted: isNew ? records : 0, duplicates: isNew ? 0 : records, batchId };
  }

  async #storeWithinBacklog(tap: TargetTap, delivery: Delivery): Promise<StoreOutcome> {
    if (!(await this.#trafficOf(tap).backlog.reserve(delivery.bytes)))
      throw new AppError(
        'UNAVAILABLE',
        'The backlog of the tap is full. Try again after the service has loaded the waiting records into the table.',
      );
    return this.#groups.submit(`${tap.tenantId} ${tap.tapId}`, { tap, delivery });
  }

  /**
   * If the transaction fails although the database is available, stores each delivery separately, so that one invalid
   * delivery does not fail the others.
   */
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
    const { em, tables, jobs, storage } = this.services;
    const { tenantId, tapId } = tap;
    return runTenantTransaction(em, tables, tenantId, async (tx) => {
      await storage
        .requireSpace(tx.read, tenantId, sumOf(deliveries), QUOTA_RETRY_SECONDS)
        .catch(async (full: unknown) => {
          const known = await findDeliveries(tx.read, tenantId, tapId, deliveries);
          if (!deliveries.every(({ key }) => known.has(key))) throw full; // Repeated deliveries take no space.
        });
      const outcomes = await storeDeliveries(tx.read, tenantId, tapId, deliveries);
      const traffic = this.#trafficOf(tap);
      const fresh = sumOf(deliveries.filter((_, nth) => outcomes[nth]?.isNew));
      if (fresh > 0) await jobs.enqueue(tx.em, flushBatchesQueue, { tenantId, tapId }, traffic.window.add(fresh));
      if (Date.now() >= traffic.pruneAt) {
        traffic.pruneAt = Date.now() + PRUNE_INTERVAL_MS;
        await traffic.pending.pruneDeliveries(tx.read, MAX_PRUNED_DELIVERIES);
      }
      await addStorageUsage(tx.em, tenantId, 'records', fresh);
      return outcomes;
    });
  }

  #trafficOf({ tenantId, tapId }: TargetTap): TapTraffic {
    const known = this.#taps.get(tapId);
    if (known) return known;
    if (this.#taps.size >= MAX_TRACKED_TAPS)
      for (const [id, { window }] of this.#taps) if (window.isOver()) this.#taps.delete(id);
    const { em, tables } = this.services;
    const pending = new PendingBatches(tenantId, tapId);
    const readBytes = () => runTenantTransaction(em, tables, tenantId, ({ read }) => pending.bytes(read));
    const traffic: TapTraffic = {
      window: new FlushWindow(this.flushSeconds),
      backlog: new TapBacklog(readBytes, this.maxBacklogBytes),
      pending,
      pruneAt: Date.now() + PRUNE_INTERVAL_MS,
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
