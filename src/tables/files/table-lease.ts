import {
  type HeldLease,
  keepRenewed,
  Lease,
  type LeasedRow,
  type PollTimes,
  pollUntil,
} from '../../kernel/concurrency/lease.js';
import { deferPrepared } from '../../kernel/execute-prepared.js';
import type { Reader } from '../../kernel/reading/reader.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import type { TableServices } from '../table-context.js';
import type { TableJobData } from './table-cleanup-job.js';

const LEASE_SECONDS = 60;

const ACQUIRE_TIMEOUT_MS = 10_000;
const ACQUIRE_RETRY_MS = 200;

const lease = new Lease({ table: 'catalog_table', key: 'id', holder: 'writer', until: 'writer_until' });

/** The right to add and replace the files of a table. `commitTableFiles` checks the holder of the lease. */
export interface TableLease {
  readonly tenantId: string;
  readonly tableId: string;
  readonly holder: string;
  /** Aborted when the lease is lost. The holder can then no longer commit files. */
  readonly signal: AbortSignal;
  readonly services: TableServices;
}

/** Runs `work` as the only writer of a table. Returns `taken` if the table has a writer or does not exist. */
export async function withTableLease<Result>(
  services: TableServices,
  tenantId: string,
  tableId: string,
  work: (lease: TableLease) => Promise<Result>,
  lifeSeconds = LEASE_SECONDS,
  wait: PollTimes = { deadline: 0, intervalMs: 0 },
): Promise<Result | 'taken'> {
  const row = rowOf(services, { tenantId, tableId });
  const held = await pollUntil(() => lease.acquire(row, lifeSeconds), wait);
  return held ? holdTableLease(services, { tenantId, tableId }, held, lifeSeconds, work) : 'taken';
}

/**
 * Acquires the lease of a table in the transaction of `read`. The lease takes effect with the commit. Returns undefined
 * if the table has a writer or does not exist.
 */
export function acquireTableLease(
  read: Reader,
  { tenantId, tableId }: TableJobData,
  lifeSeconds: number,
): Promise<HeldLease | undefined> {
  return lease.acquire({ tenantId, id: tableId, query: (...statement) => read.rows(...statement) }, lifeSeconds);
}

const released = new WeakSet<TableLease>();

/** The commit of `tx` releases the lease, so `tx` must be the last transaction under the lease. */
export async function releaseTableLease(tx: WorkspaceTransaction, held: TableLease): Promise<void> {
  const { tenantId, tableId } = held;
  const query: LeasedRow['query'] = (...statement) => deferPrepared(tx.em, ...statement).then(() => []);
  await lease.release({ tenantId, id: tableId, query }, held);
  tx.afterCommit(async () => {
    released.add(held);
  });
}

/** Renews an acquired lease while `work` runs, then releases the lease. */
export async function holdTableLease<Result>(
  services: TableServices,
  { tenantId, tableId }: TableJobData,
  held: HeldLease,
  lifeSeconds: number,
  work: (lease: TableLease) => Promise<Result>,
): Promise<Result> {
  const row = rowOf(services, { tenantId, tableId });
  const { holder, acquiredAt } = held;
  let own: TableLease | undefined;
  try {
    return await keepRenewed({ lifeSeconds, acquiredAt, renew: () => lease.renew(row, held, lifeSeconds) }, (signal) =>
      work((own = { tenantId, tableId, holder, signal, services })),
    );
  } finally {
    // If the release fails, the lease expires.
    if (!own || !released.has(own)) await lease.release(row, held).catch(() => undefined);
  }
}

function rowOf({ em, tables }: TableServices, { tenantId, tableId }: TableJobData): LeasedRow {
  const query: LeasedRow['query'] = (...statement) =>
    runTenantTransaction(em, tables, tenantId, ({ read }) => read.rows(...statement));
  return { tenantId, id: tableId, query };
}

/**
 * Like `withTableLease`, but waits at most `ACQUIRE_TIMEOUT_MS` for another writer. Throws the abort reason of
 * `signal`.
 */
export function waitForTableLease<Result>(
  services: TableServices,
  { tenantId, tableId }: TableJobData,
  signal: AbortSignal | undefined,
  work: (lease: TableLease) => Promise<Result>,
): Promise<Result | 'taken'> {
  const wait = { deadline: performance.now() + ACQUIRE_TIMEOUT_MS, intervalMs: ACQUIRE_RETRY_MS, signal };
  return withTableLease(services, tenantId, tableId, work, LEASE_SECONDS, wait);
}
