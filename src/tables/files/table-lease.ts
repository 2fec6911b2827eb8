import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId, newId } from '../../kernel/ids.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableServices } from '../table-context.js';
import type { TableJobData } from './table-cleanup-job.js';

/** Seconds for which a writer is believed to go on after it was last heard of. It is heard of three times in that. */
const LEASE_SECONDS = 60;

/** Part of that after which the lease counts as lost here: a while before others may take it. */
const LEASE_SAFETY_FRACTION = 0.9;

/** Says that somebody may add and replace the files of a table. Only the commit is safe from others: see `commitTableFiles`. */
export interface TableLease {
  readonly tenantId: string;
  readonly tableId: string;
  /** Nobody else's, a UUID. */
  readonly holder: string;
  /** Aborted when the lease is lost: what goes on then cannot be committed. */
  readonly signal: AbortSignal;
  readonly services: TableServices;
}

/** Another writer has the table, or may have it. Nothing of this one's is in it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(options?: { cause: unknown }) {
    super('The lease of a table was lost.', options);
  }
}

const ACQUIRE = `
update catalog_table set writer = ?, writer_until = clock_timestamp() + make_interval(secs => ?)
where tenant_id = ? and id = ? and (writer is null or writer_until < clock_timestamp()) returning id`;

const RENEW = `
update catalog_table set writer = ?, writer_until = clock_timestamp() + make_interval(secs => ?)
where tenant_id = ? and id = ? and writer = ? returning id`;

const RELEASE =
  'update catalog_table set writer = null, writer_until = null where tenant_id = ? and id = ? and writer = ?';

/**
 * Runs `work` as the one writer of a table, or answers `taken` where there is one already, or no such table. Of a process that is lost the lease ends by
 * itself after a minute.
 */
export async function withTableLease<Result>(
  parts: TableServices,
  tenantId: string,
  tableId: string,
  work: (lease: TableLease) => Promise<Result>,
  lifeSeconds = LEASE_SECONDS,
): Promise<Result | 'taken'> {
  const holder = decodeId(newId()) as string;
  const ids = [decodeId(tenantId), decodeId(tableId)];
  const ask = (statement: string, values: readonly unknown[]): Promise<unknown[]> =>
    runTenantTransaction(parts.em, parts.tables, tenantId, ({ em }) => em.execute(statement, [...values]));
  const lost = new AbortController();
  const ended = new AbortController();
  const askedAt = performance.now();
  const taken = await ask(ACQUIRE, [holder, lifeSeconds, ...ids]);
  if (taken.length === 0) return 'taken';
  const renewals = renew(
    () => ask(RENEW, [holder, lifeSeconds, ...ids, holder]),
    askedAt,
    lifeSeconds * 1_000,
    lost,
    ended.signal,
  );
  try {
    return await work({ tenantId, tableId, holder, signal: lost.signal, services: parts });
  } finally {
    ended.abort();
    await renewals;
    // Where nobody can be told, it ends by itself.
    await ask(RELEASE, [...ids, holder]).catch(() => undefined);
  }
}

/** Milliseconds for which another writer is waited for, and between two looks. */
const ACQUIRE_TIMEOUT_MS = 10_000;
const ACQUIRE_RETRY_MS = 200;

/** Like `withTableLease`, for work that can wait a little. Throws once `signal` is aborted. */
export async function waitForTableLease<Result>(
  parts: TableServices,
  { tenantId, tableId }: TableJobData,
  signal: AbortSignal,
  work: (lease: TableLease) => Promise<Result>,
): Promise<Result | 'taken'> {
  for (const until = Date.now() + ACQUIRE_TIMEOUT_MS; ; ) {
    signal.throwIfAborted();
    const result = await withTableLease(parts, tenantId, tableId, work);
    if (result !== 'taken' || Date.now() > until) return result;
    await sleep(ACQUIRE_RETRY_MS * (0.5 + Math.random()), undefined, { signal });
  }
}

/** Says again and again that the work goes on, until it has ended. A database that is away is asked again until the lease may be another's. */
async function renew(
  ask: () => Promise<unknown[]>,
  askedAt: number,
  life: number,
  lost: AbortController,
  ended: AbortSignal,
): Promise<void> {
  for (let heardAt = askedAt; !lost.signal.aborted; ) {
    await sleep(life / 3, undefined, { signal: ended, ref: false }).catch(() => undefined);
    if (ended.aborted) return;
    const at = performance.now();
    const kept = await ask().catch(() => undefined);
    if (kept?.length) heardAt = at;
    const isOver = kept?.length === 0 || performance.now() - heardAt > life * LEASE_SAFETY_FRACTION;
    if (isOver) lost.abort(new LeaseLost());
  }
}
