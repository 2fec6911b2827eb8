import { ConnectorTap } from '../catalog/connector-tap.js';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import type { RunningJob } from '../kernel/job-queue.js';
import type { Reader } from '../kernel/reading.js';
import { inTenant, type Transaction } from '../kernel/transaction.js';
import { openTable } from '../tables/open-table.js';
import { isOpen, Publication } from '../tables/publication.js';
import type { TableParts } from '../tables/table-context.js';
import { withTableLease } from '../tables/table-lease.js';
import { type LandBatchesData, landBatchesQueue } from './land-batches-job.js';
import { Landing } from './landing.js';
import { schemaOfTap } from './record-schema.js';
import { WaitingBatches } from './waiting-batches.js';

/** Seconds until another try where somebody else writes to the table, or is about to. */
const TURN = 10;

/**
 * Brings what was acknowledged into the table of its tap, in the order in which it came: what waits when it begins, since what comes later has jobs of its
 * own. The transaction that makes files part of the table removes the batches that are in them, so each record is there once, wherever a process is lost.
 * A deleted tap gets what came in before. Where the table is being published, its columns are those of the file, so the batches wait until that has ended.
 */
export async function landBatches(parts: TableParts, data: LandBatchesData, job: RunningJob): Promise<void> {
  const { tenantId, tapId } = data;
  const waiting = new WaitingBatches(tenantId, tapId);
  const inWorkspace = <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
    inTenant(parts.em, parts.tables, tenantId, work);
  const found = await inWorkspace(async (tx) => {
    if (!(await waiting.isAny(tx.read))) return 'nothing waits';
    if (await isBeingPublished(tx.read, tapId)) return 'taken';
    return { tableId: await tableOf(tx, tenantId, tapId) };
  });
  if (found === 'nothing waits') return;
  const ended =
    found === 'taken'
      ? found
      : await withTableLease(parts, tenantId, found.tableId, (lease) =>
          new Landing(parts, lease, waiting, job).landAll(),
        );
  if (ended !== 'taken') return;
  // Whoever has the table may have looked for the last time already.
  const again = { key: `${tapId} again`, startAfter: TURN };
  await inWorkspace(({ em }) => parts.jobs.enqueue(em, landBatchesQueue, data, again));
}

async function isBeingPublished(read: Reader, tapId: string): Promise<boolean> {
  const publications = await read.many(Publication, 'tap', tapId);
  return publications.some(isOpen);
}

async function tableOf({ em, read }: Transaction, tenantId: string, tapId: string): Promise<string> {
  const tap = await read.byId(TenantConnectorTap, tapId);
  const definition = tap?.tap && (await read.byId(ConnectorTap, tap.tap));
  return (await openTable(em, tenantId, tapId, schemaOfTap(definition ? definition.schema : undefined))).id;
}
