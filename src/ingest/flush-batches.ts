import { ConnectorTap } from '../catalog/model/connector-tap.js';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import type { RunningJob } from '../kernel/jobs/job-queue.js';
import type { Reader } from '../kernel/reading/reader.js';
import { runTenantTransaction, type TenantTransaction } from '../kernel/reading/tenant-transaction.js';
import { ensureTable } from '../tables/ensure-table.js';
import { withTableLease } from '../tables/files/table-lease.js';
import { isPublicationOpen, Publication } from '../tables/publications/publication.js';
import type { TableServices } from '../tables/table-context.js';
import { BatchFlusher } from './batch-flusher.js';
import { type FlushBatchesData, flushBatchesQueue } from './flush-batches-job.js';
import { PendingBatches } from './pending-batches.js';
import { schemaOfTap } from './records/record-schema.js';

/** Seconds until another try where somebody else writes to the table, or is about to. */
const LEASE_RETRY_SECONDS = 10;

/**
 * Brings what was acknowledged into the table of its tap, in the order in which it came: what waits when it begins, since what comes later has jobs of its
 * own. The transaction that makes files part of the table removes the batches that are in them, so each record is there once, wherever a process is lost.
 * A deleted tap gets what came in before. Where the table is being published, its columns are those of the file, so the batches wait until that has ended.
 */
export async function flushBatches(parts: TableServices, data: FlushBatchesData, job: RunningJob): Promise<void> {
  const { tenantId, tapId } = data;
  const waiting = new PendingBatches(tenantId, tapId);
  const inWorkspace = <Result>(work: (tx: TenantTransaction) => Promise<Result>): Promise<Result> =>
    runTenantTransaction(parts.em, parts.tables, tenantId, work);
  const found = await inWorkspace(async (tx) => {
    if (!(await waiting.hasAny(tx.read))) return 'nothing waits';
    if (await isBeingPublished(tx.read, tapId)) return 'taken';
    return { tableId: await tableOf(tx, tenantId, tapId) };
  });
  if (found === 'nothing waits') return;
  const ended =
    found === 'taken'
      ? found
      : await withTableLease(parts, tenantId, found.tableId, (lease) =>
          new BatchFlusher(parts, lease, waiting, job).flushAll(),
        );
  if (ended !== 'taken') return;
  // Whoever has the table may have looked for the last time already.
  const again = { key: `${tapId} again`, startAfter: LEASE_RETRY_SECONDS };
  await inWorkspace(({ em }) => parts.jobs.enqueue(em, flushBatchesQueue, data, again));
}

async function isBeingPublished(read: Reader, tapId: string): Promise<boolean> {
  const publications = await read.many(Publication, 'tap', tapId);
  return publications.some(isPublicationOpen);
}

async function tableOf({ em, read }: TenantTransaction, tenantId: string, tapId: string): Promise<string> {
  const tap = await read.byId(TenantConnectorTap, tapId);
  const definition = tap?.tap && (await read.byId(ConnectorTap, tap.tap));
  return (await ensureTable(em, tenantId, tapId, schemaOfTap(definition ? definition.schema : undefined))).id;
}
