import { ConnectorTap } from '../catalog/model/connector-tap.js';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import type { RunningJob } from '../kernel/jobs/job-queue.js';
import type { Reader } from '../kernel/reading/reader.js';
import { runTenantTransaction, type TenantTransaction } from '../kernel/reading/tenant-transaction.js';
import { ensureTable } from '../tables/ensure-table.js';
import { withTableLease } from '../tables/files/table-lease.js';
import { findFeed } from '../tables/merge/find-feed.js';
import { isPublicationOpen, Publication } from '../tables/publications/publication.js';
import { schemaOfTap } from '../tables/records/record-schema.js';
import type { TableServices } from '../tables/table-context.js';
import { BatchFlusher } from './batch-flusher.js';
import { type FlushBatchesData, flushBatchesQueue } from './flush-batches-job.js';
import { PendingBatches } from './pending-batches.js';

const LEASE_RETRY_SECONDS = 10;

/**
 * Loads the pending batches of a tap into its table, or into the table that the tap feeds. The transaction that commits
 * the table files also deletes the batches, so that a crash does not lose or duplicate a record. A deleted tap still
 * receives its acknowledged records.
 */
export async function flushBatches(services: TableServices, data: FlushBatchesData, job: RunningJob): Promise<void> {
  const { tenantId, tapId } = data;
  const pending = new PendingBatches(tenantId, tapId);
  const inWorkspace = <Result>(work: (tx: TenantTransaction) => Promise<Result>): Promise<Result> =>
    runTenantTransaction(services.em, services.tables, tenantId, work);
  const target = await inWorkspace(async (tx) => {
    if (!(await pending.hasAny(tx.read))) return 'nothing pending';
    if (await isBeingPublished(tx.read, tapId)) return 'taken';
    return { tableId: await tableOf(tx, tenantId, tapId) };
  });
  if (target === 'nothing pending') return;
  const outcome =
    target === 'taken'
      ? target
      : await withTableLease(services, tenantId, target.tableId, (lease) =>
          new BatchFlusher(services, lease, pending, job).flushAll(),
        );
  if (outcome !== 'taken') return;
  // The holder of the lease possibly misses batches that have just arrived, so this job runs again later.
  const retry = { key: `${tapId} again`, startAfter: LEASE_RETRY_SECONDS };
  await inWorkspace(({ em }) => services.jobs.enqueue(em, flushBatchesQueue, data, retry));
}

async function isBeingPublished(read: Reader, tapId: string): Promise<boolean> {
  const publications = await read.many(Publication, 'tap', tapId);
  return publications.some(isPublicationOpen);
}

async function tableOf({ em, read }: TenantTransaction, tenantId: string, tapId: string): Promise<string> {
  const tap = await read.byId(TenantConnectorTap, tapId);
  const definition = (tap?.tap && (await read.byId(ConnectorTap, tap.tap))) || undefined;
  const feed = tap && (await findFeed(read, tap, definition));
  const schema = schemaOfTap((feed?.definition ?? definition)?.schema);
  return (await ensureTable(em, tenantId, feed?.tap.id ?? tapId, schema)).id;
}
