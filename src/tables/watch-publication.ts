import { inTenant } from '../kernel/transaction.js';
import { isOpen, Publication } from './publication.js';
import { failPublication } from './publication-state.js';
import { planPublicationWatch } from './publication-watch-job.js';
import { type PublishArtifactData, publishArtifactQueue } from './publish-artifact-job.js';
import type { TableParts } from './table-context.js';

const LOST = 'WA-AF-099: It was tried too often and never came to an end; delete the tap and publish the file again.';

/**
 * Ends a publication whose job is gone, such as that of a process that was lost in its last attempt, which nobody would end otherwise. Where there is a job,
 * it is left to it until the next look.
 */
export async function watchPublication(parts: TableParts, data: PublishArtifactData): Promise<void> {
  const { jobs } = parts;
  await inTenant(parts.em, parts.tables, data.tenantId, async (tx) => {
    const publication = await tx.read.byId(Publication, data.publicationId);
    if (!publication || !isOpen(publication)) return;
    if (await jobs.isUnderWay(tx.em, publishArtifactQueue, data.publicationId))
      await planPublicationWatch(jobs, tx.em, data);
    else await failPublication(tx, data, LOST);
  });
}
