import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableServices } from '../table-context.js';
import { isPublicationOpen, Publication } from './publication.js';
import { failPublication } from './publication-state.js';
import { schedulePublicationWatch } from './publication-watch-job.js';
import { type PublishArtifactData, publishArtifactQueue } from './publish-artifact-job.js';

const ORPHANED_MESSAGE =
  'WA-AF-099: The publication did not finish in any of its attempts. Delete the tap and publish the file again.';

/**
 * Fails a publication that no longer has a job, for example because the process died during the last attempt. If there
 * is a job, schedules the next check.
 */
export async function failOrphanedPublication(services: TableServices, data: PublishArtifactData): Promise<void> {
  const { jobs } = services;
  await runTenantTransaction(services.em, services.tables, data.tenantId, async (tx) => {
    const publication = await tx.read.byId(Publication, data.publicationId);
    if (!publication || !isPublicationOpen(publication)) return;
    if (await jobs.isUnfinished(tx.em, publishArtifactQueue, data.publicationId))
      await schedulePublicationWatch(jobs, tx.em, data);
    else await failPublication(tx, data, ORPHANED_MESSAGE);
  });
}
