import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId } from '../ids.js';

/** Another process holds the lease by now, or may hold it. Work that was done under it must not be committed. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('The lease was lost.');
  }
}

/** The columns in which a tenant table stores a lease. Names and SQL are inserted into statements, so they come from code alone. */
export interface LeaseColumns {
  readonly table: string;
  /** Identifies the row within its workspace. */
  readonly key: string;
  /** Random UUID of the current holder. Can be `until` itself: then the expiry identifies the holder, and the lease cannot be renewed. */
  readonly holder: string;
  readonly until: string;
  /** Further condition for acquiring. Its values start at `$4`. */
  readonly condition?: string;
  /** Further assignment of an acquisition. */
  readonly assignment?: string;
}

/** The row to lease, and the connection to do it on. */
export interface LeasedRow {
  readonly tenantId: string;
  readonly id: string;
  readonly query: (statement: string, values: readonly unknown[]) => Promise<(string | null)[][]>;
}

export interface HeldLease {
  /** Fencing token: the transaction that saves the work checks that the row still has it. */
  readonly holder: string;
  /** On the clock of `performance.now()`, before the statement was sent: the lease expires no earlier than its life after that. */
  readonly acquiredAt: number;
}

/**
 * Lets one process at a time work on a row, without an open transaction. The lease of a process that dies expires by the clock of
 * the database. A slow process can outlive its lease, hence the fencing token.
 */
export class Lease {
  /** SQL condition: the lease can be acquired. */
  readonly isFree: string;
  readonly #acquire: string;
  readonly #renew: string;
  readonly #release: string;

  constructor({ table, key, holder, until, condition = 'true', assignment }: LeaseColumns) {
    const isExpiryHolder = holder === until;
    const extended = `${until} = clock_timestamp() + make_interval(secs => $3)`;
    const acquired = [...(isExpiryHolder ? [] : [`${holder} = gen_random_uuid()`]), extended, assignment];
    const released = [...new Set([holder, until])].map((column) => `${column} = null`);
    const row = `where tenant_id = $1 and ${key} = $2`;
    this.isFree = `(${holder} is null or ${hasExpired(until)})`;
    this.#acquire = `
update ${table} set ${acquired.filter(Boolean).join(', ')} ${row} and ${this.isFree} and ${condition} returning ${holder}`;
    this.#renew = `update ${table} set ${extended} ${row} and ${holder} = $4 returning ${until}`;
    this.#release = `update ${table} set ${released.join(', ')} ${row} and ${holder} = $3`;
  }

  /** Undefined if there is another holder, no such row, or the condition is not met. */
  async acquire(row: LeasedRow, lifeSeconds: number, ...conditionValues: unknown[]): Promise<HeldLease | undefined> {
    const acquiredAt = performance.now();
    const [acquired] = await row.query(this.#acquire, [...idsOf(row), lifeSeconds, ...conditionValues]);
    return acquired && { holder: acquired[0] as string, acquiredAt };
  }

  /** False if the lease has another holder by now. */
  async renew(row: LeasedRow, { holder }: HeldLease, lifeSeconds: number): Promise<boolean> {
    return (await row.query(this.#renew, [...idsOf(row), lifeSeconds, holder])).length > 0;
  }

  /** Does nothing if the lease has another holder by now. */
  async release(row: LeasedRow, { holder }: Pick<HeldLease, 'holder'>): Promise<void> {
    await row.query(this.#release, [...idsOf(row), holder]);
  }
}

function idsOf({ tenantId, id }: LeasedRow): unknown[] {
  return [decodeId(tenantId), decodeId(id)];
}

/** SQL condition: the lease that is valid until the time in this column has expired. */
export function hasExpired(until: string): string {
  return `${until} < clock_timestamp()`;
}

/** Part of its life after which a lease without contact to the database counts as lost: before another process can acquire it. */
const LOST_AFTER_FRACTION = 0.9;

interface Renewal {
  readonly lifeSeconds: number;
  readonly acquiredAt: number;
  /** False if the lease has another holder. A rejection is tried again until the lease counts as lost. */
  readonly renew: () => Promise<boolean>;
}

/** Renews a lease three times per life while `work` runs. The signal is aborted with `LeaseLost` once the lease is lost. */
export async function keepRenewed<Result>(
  { lifeSeconds, acquiredAt, renew }: Renewal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const lifeMs = lifeSeconds * 1_000;
  const lost = new AbortController();
  const loseAfter = (contactAt: number) =>
    setTimeout(() => lost.abort(new LeaseLost()), contactAt + lifeMs * LOST_AFTER_FRACTION - performance.now()).unref();
  let losing = loseAfter(acquiredAt);
  let renewing: Promise<void> | undefined;
  const renewOnce = async (): Promise<void> => {
    const askedAt = performance.now();
    const isHeld = await renew().catch(() => undefined);
    if (isHeld === undefined) return;
    clearTimeout(losing);
    if (isHeld) losing = loseAfter(askedAt);
    else lost.abort(new LeaseLost());
  };
  const timer = setInterval(() => {
    if (!lost.signal.aborted) renewing ??= renewOnce().finally(() => (renewing = undefined));
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
  /** On the clock of `performance.now()`. There is at least one attempt. */
  readonly deadline: number;
  readonly intervalMs: number;
  /** The interval doubles up to this. */
  readonly maxIntervalMs?: number;
  readonly signal?: AbortSignal;
}

/** Repeats `attempt` until it has a result, with jitter; undefined after the deadline. Throws once the signal is aborted. */
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
    await sleep(waitMs, undefined, { signal });
  }
}
