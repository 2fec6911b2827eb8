import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, toAppError } from '../kernel/errors.js';
import { GatheredRuns } from '../kernel/gathered-runs.js';
import type { Jobs } from '../kernel/jobs.js';
import type { Tables } from '../kernel/tables.js';
import { inTenant } from '../kernel/transaction.js';
import { countStorage, type StorageQuota } from '../tenancy/storage-quota.js';
import { landBatchesQueue } from './land-batches-job.js';
import { LandingRound } from './landing-round.js';
import { type Delivery, findDeliveries, type StoredDelivery, storeDeliveries } from './store-deliveries.js';
import { TapBacklog } from './tap-backlog.js';
import { WaitingBatches } from './waiting-batches.js';

/** Deliveries of a transaction, and bytes of their records, where there is more than one. */
const GROUP_SIZE = 500;
const GROUP_BYTES = 4 * 1024 * 1024;

/** Bytes of records that wait in this process to be stored. */
const MOST_WAITING = 128 * 1024 * 1024;

/** Taps that something is remembered of; those of which nothing more comes are forgotten. */
const MOST_TAPS = 1_000;

/** Milliseconds after which deliveries whose time is over are cleared away, and how many of them at once. */
const CLEARING = 60_000;
const MOST_CLEARED = 5_000;

/** Seconds after which a sender tries again where the storage quota is used up: records take less space once they are in their table. */
const TRY_AGAIN = 300;

export interface AcceptingParts {
  readonly em: EntityManager;
  readonly tables: Tables;
  readonly jobs: Jobs;
  readonly storage: StorageQuota;
}

export interface Tap {
  readonly tenantId: string;
  readonly tapId: string;
}

/** What the sender is told: records that were taken, those that had been before, and the batch that they are in. */
export interface Acceptance {
  readonly accepted: number;
  readonly duplicates: number;
  readonly batchId: string | null;
}

/** What a process remembers of a tap. */
interface Traffic {
  readonly round: LandingRound;
  readonly backlog: TapBacklog;
  readonly waiting: WaitingBatches;
  clearAt: number;
}

type Outcome = StoredDelivery | { readonly error: unknown };

/**
 * Keeps what senders deliver. Deliveries that come to one tap at the same time share a transaction, which has them land as well: either all of that is
 * durable or nothing, and the faster they come the less each costs.
 */
export class AcceptBatches {
  readonly #taps = new Map<string, Traffic>();
  readonly #groups: GatheredRuns<{ tap: Tap; delivery: Delivery }, Outcome>;
  #waitingBytes = 0;

  constructor(
    private readonly parts: AcceptingParts,
    private readonly flushSeconds: number,
    /** Bytes of a tap that may wait for their table; by default 1 GiB. */
    private readonly mostOfTap?: number,
  ) {
    this.#groups = new GatheredRuns<{ tap: Tap; delivery: Delivery }, Outcome>({
      fitting: fittingGroup,
      run: (_key, items) =>
        this.#storeAll(
          (items[0] as { tap: Tap }).tap,
          items.map(({ delivery }) => delivery),
        ),
    });
  }

  /**
   * Resolves once the delivery is durable. One without records is nothing, and not remembered. Throws UNAVAILABLE where the database is away, or too much
   * waits for it or for the table; STORAGE_QUOTA_EXCEEDED; IDEMPOTENCY_KEY_REUSED where another body came under the key.
   */
  async accept(tap: Tap, delivery: Delivery): Promise<Acceptance> {
    const { records, bytes } = delivery;
    if (records === 0) return { accepted: 0, duplicates: 0, batchId: null };
    if (this.#waitingBytes + bytes > MOST_WAITING)
      throw new AppError('UNAVAILABLE', 'Too many records wait to be stored; try again shortly.');
    if (!(await this.#trafficOf(tap).backlog.add(bytes)))
      throw new AppError('UNAVAILABLE', 'Too many records of the tap wait for their table; try again later.');
    this.#waitingBytes += bytes;
    const outcome = await this.#groups
      .ask(`${tap.tenantId} ${tap.tapId}`, { tap, delivery })
      .finally(() => (this.#waitingBytes -= bytes));
    if ('error' in outcome) throw outcome.error;
    const { isNew, batchId = null, isOtherBody } = outcome;
    if (isOtherBody) throw new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another body.');
    return { accepted: isNew ? records : 0, duplicates: isNew ? 0 : records, batchId };
  }

  /** What the database refuses in the one is no reason to refuse the others. */
  async #storeAll(tap: Tap, deliveries: readonly Delivery[]): Promise<readonly Outcome[]> {
    try {
      return await this.#store(tap, deliveries);
    } catch (error) {
      if (deliveries.length === 1 || toAppError(error).code === 'UNAVAILABLE') throw error;
      const alone: Outcome[] = [];
      for (const delivery of deliveries)
        alone.push(...(await this.#store(tap, [delivery]).catch((error: unknown) => [{ error }])));
      return alone;
    }
  }

  #store(tap: Tap, deliveries: readonly Delivery[]): Promise<StoredDelivery[]> {
    const { em, tables, jobs, storage } = this.parts;
    const { tenantId, tapId } = tap;
    return inTenant(em, tables, tenantId, async (tx) => {
      await storage.requireRoom(tx.read, tenantId, sumOf(deliveries), TRY_AGAIN).catch(async (full: unknown) => {
        const known = await findDeliveries(tx.read, tenantId, tapId, deliveries);
        if (!deliveries.every(({ key }) => known.has(key))) throw full; // a repetition takes no room
      });
      const outcomes = await storeDeliveries(tx.read, tenantId, tapId, deliveries);
      const traffic = this.#trafficOf(tap);
      const fresh = sumOf(deliveries.filter((_, nth) => outcomes[nth]?.isNew));
      if (fresh > 0) await jobs.enqueue(tx.em, landBatchesQueue, { tenantId, tapId }, traffic.round.add(fresh));
      if (Date.now() >= traffic.clearAt) {
        traffic.clearAt = Date.now() + CLEARING;
        await traffic.waiting.forgetDeliveries(tx.read, MOST_CLEARED);
      }
      await countStorage(tx.read, tenantId, 'records', fresh);
      return outcomes;
    });
  }

  #trafficOf({ tenantId, tapId }: Tap): Traffic {
    const known = this.#taps.get(tapId);
    if (known) return known;
    if (this.#taps.size >= MOST_TAPS)
      for (const [id, { round }] of this.#taps) if (round.isOver()) this.#taps.delete(id);
    const { em, tables } = this.parts;
    const waiting = new WaitingBatches(tenantId, tapId);
    const ask = () => inTenant(em, tables, tenantId, ({ read }) => waiting.bytes(read));
    const traffic: Traffic = {
      ...{ round: new LandingRound(this.flushSeconds), backlog: new TapBacklog(ask, this.mostOfTap), waiting },
      clearAt: Date.now() + CLEARING,
    };
    this.#taps.set(tapId, traffic);
    return traffic;
  }
}

function sumOf(deliveries: readonly Delivery[]): number {
  return deliveries.reduce((sum, { bytes }) => sum + bytes, 0);
}

function fittingGroup(items: readonly { delivery: Delivery }[]): number {
  let bytes = 0;
  const end = items.findIndex(({ delivery }, nth) => {
    bytes += delivery.bytes;
    return nth > 0 && (nth === GROUP_SIZE || bytes > GROUP_BYTES);
  });
  return end < 0 ? items.length : end;
}
