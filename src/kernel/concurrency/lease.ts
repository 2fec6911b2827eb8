import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId } from '../ids.js';

/** Another process has acquired the lease, or may have acquired it. This process must not commit its work. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('The lease was lost.');
  }
}

/** The values become part of SQL statements, so they must be constants. */
interface LeaseColumns {
  readonly table: string;
  /** Column that identifies a row within its workspace. */
  readonly key: string;
  /**
   * Column with a random UUID of the holder. If `holder` and `until` name the same column, the expiry identifies the
   * holder, and renewal is impossible.
   */
  readonly holder: string;
  readonly until: string;
  /** SQL condition for acquiring the lease. Its parameters start at `$4`. */
  readonly condition?: string;
  /** Further assignment in the SQL statement that acquires the lease. */
  readonly assignment?: string;
}

export interface LeasedRow {
  readonly tenantId: string;
  readonly id: string;
  readonly query: (statement: string, values: readonly unknown[]) => Promise<(string | null)[][]>;
}

export interface HeldLease {
  /** Fencing token: the transaction that commits the work checks that the row still contains this token. */
  readonly holder: string;
  /** Value of `performance.now()` shortly before the database set the expiry. */
  readonly acquiredAt: number;
}

/**
 * Gives one process at a time the right to work on a row, without an open transaction. The lease of a dead process
 * expires by the clock of the database. A slow process can outlive its lease, so commits check the fencing token.
 */
export class Lease {
  /** SQL that is true while no process holds the lease. */
  readonly isFree: string;
  readonly #acquire: string;
  readonly #renew: string;
  readonly #release: string;

  constructor({ table, key, holder, until, condition = 'true', assignment }: LeaseColumns) {
    const row = `where tenant_id = $1 and ${key} = $2`;
    const extend = `${until} = clock_timestamp() + make_interval(secs => $3)`;
    const acquire = [extend, holder !== until && `${holder} = gen_random_uuid()`, assignment].filter(Boolean);
    const release = [...new Set([holder, until])].map((column) => `${column} = null`);
    this.isFree = `(${holder} is null or ${hasExpired(until)})`;
    this.#acquire = `update ${table} set ${acquire} ${row} and ${this.isFree} and (${condition}) returning ${holder}`;
    this.#renew = `update ${table} set ${extend} ${row} and ${holder} = $4 returning ${holder}`;
    this.#release = `update ${table} set ${release} ${row} and ${holder} = $3`;
  }

  /** Returns undefined if the lease has a holder, the condition is false or the row does not exist. */
  async acquire(row: LeasedRow, lifeSeconds: number, ...conditionValues: unknown[]): Promise<HeldLease | undefined> {
    const acquiredAt = performance.now();
    const [acquired] = await row.query(this.#acquire, [...idsOf(row), lifeSeconds, ...conditionValues]);
    return acquired && { holder: acquired[0] as string, acquiredAt };
  }

  /**
   * Returns false if this process no longer holds the lease. Also renews an expired lease, unless another process has
   * acquired it.
   */
  async renew(row: LeasedRow, { holder }: HeldLease, lifeSeconds: number): Promise<boolean> {
    return (await row.query(this.#renew, [...idsOf(row), lifeSeconds, holder])).length > 0;
  }

  /** Has no effect if the lease has another holder. */
  async release(row: LeasedRow, { holder }: Pick<HeldLease, 'holder'>): Promise<void> {
    await row.query(this.#release, [...idsOf(row), holder]);
  }
}

function idsOf({ tenantId, id }: LeasedRow): unknown[] {
  return [decodeId(tenantId), decodeId(id)];
}

/** SQL that is true after the time in the column `until`. */
export function hasExpired(until: string): string {
  return `${until} < clock_timestamp()`;
}

/** Returns the expiry by the clock of this process, for entities that store a lease together with other changes. */
export function leaseEnd(lifeSeconds: number): Date {
  return new Date(Date.now() + lifeSeconds * 1_000);
}

export function isLeased(until: Date | string | undefined): boolean {
  return new Date(until ?? 0).getTime() > Date.now();
}

/** If a holder could not renew its lease for this fraction of the lifetime, it treats the lease as lost. */
const LOST_AFTER_FRACTION = 0.9;

interface Renewal extends Pick<HeldLease, 'acquiredAt'> {
  readonly lifeSeconds: number;
  /** Returns false if this process no longer holds the lease. `keepRenewed` retries calls that throw. */
  readonly renew: () => Promise<boolean>;
}

/**
 * Renews a lease three times per `lifeSeconds` while `work` runs. If the lease is lost, aborts the signal with
 * `LeaseLost`.
 */
export async function keepRenewed<Result>(
  { acquiredAt, lifeSeconds, renew }: Renewal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const lifeMs = lifeSeconds * 1_000;
  const lost = new AbortController();
  const lose = (): void => lost.abort(new LeaseLost());
  const loseAfter = (contactAt: number) =>
    setTimeout(lose, contactAt + lifeMs * LOST_AFTER_FRACTION - performance.now()).unref();
  let losing = loseAfter(acquiredAt);
  let renewing: Promise<void> | undefined;
  const renewOnce = async (): Promise<void> => {
    const askedAt = performance.now();
    const isHeld = await renew().catch(() => undefined);
    if (isHeld === false) lose();
    if (!isHeld) return;
    clearTimeout(losing);
    losing = loseAfter(askedAt);
  };
  const timer = setInterval(() => {
    renewing ??= renewOnce().finally(() => (renewing = undefined));
  }, lifeMs / 3).unref();
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(timer);
    await renewing;
    clearTimeout(losing);
  }
}

export interface PollTimes {
  /** Time of `performance.now()` after which no attempt starts, except the first. */
  readonly deadline: number;
  readonly intervalMs: number;
  /** The interval doubles after each attempt up to this maximum. */
  readonly maxIntervalMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Repeats `attempt`, with jitter, until it has a result. Returns undefined at the deadline. Throws the abort reason of
 * the signal.
 */
export async function pollUntil<Result>(
  attempt: () => Promise<Result | undefined>,
  { deadline, intervalMs, maxIntervalMs = intervalMs, signal }: PollTimes,
): Promise<Result | undefined> {
  for (let interval = intervalMs; ; interval = Math.min(interval * 2, maxIntervalMs)) {
    signal?.throwIfAborted();
    const result = await attempt();
    if (result !== undefined) return result;
    const waitMs = interval * (0.5 + Math.random());
    if (performance.now() + waitMs > deadline) return undefined;
    await sleep(waitMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
  }
}
