import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableServices } from '../table-context.js';
import { isPublicationOpen, Publication } from './publication.js';
import { failPublication } from './publication-state.js';
import { schedulePublicationWatch } from './publication-watch-job.js';
import { type PublishArtifactData, publishArtifactQueue } from './publish-artifact-job.js';

const ORPHANED_MESSAGE =
  'WA-AF-099: It was tried too often and never came to an end; delete the tap and publish the file again.';

/**
 * Ends a publication whose job is gone, such as that of a process that was lost in its last attempt, which nobody would end otherwise. Where there is a job,
 * it is left to it until the next look.
 */
export async function failOrphanedPublication(parts: TableServices, data: PublishArtifactData): Promise<void> {
  const { jobs } = parts;
  await runTenantTransaction(parts.em, parts.tables, data.tenantId, async (tx) => {
    const publication = await tx.read.byId(Publication, data.publicationId);
    if (!publication || !isPublicationOpen(publication)) return;
    if (await jobs.isUnfinished(tx.em, publishArtifactQueue, data.publicationId))
      await schedulePublicationWatch(jobs, tx.em, data);
    else await failPublication(tx, data, ORPHANED_MESSAGE);
  });
}
