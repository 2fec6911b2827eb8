import { ref } from '@mikro-orm/core';
import { Artifact } from '../../artifacts/artifact.js';
import { isArtifactPublished, lockArtifact } from '../../artifacts/find-artifact.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { relationValue } from '../../kernel/entities/tenant-table.js';
import { AppError } from '../../kernel/errors.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { ensureTable } from '../ensure-table.js';
import { tableFieldsOf } from '../table-fields.js';
import { chooseTableName } from '../table-name.js';
import type { PublishArtifactArgs } from '../tenant-connector-tap.inputs.js';
import { Publication } from './publication.js';
import { schedulePublicationWatch } from './publication-watch-job.js';
import { publishArtifactQueue } from './publish-artifact-job.js';
import { requirePublishable, withGivenColumns } from './publishable-artifact.js';

/**
 * Creates a tap and its table for a CSV file with a completed schema inference, and enqueues the job that loads the
 * rows. The given columns replace columns of the inferred schema. Returns the id of the tap. Throws NOT_FOUND, CONFLICT
 * and WA-AF-031. Locks the file first, as the deletion of a file does, so that no caller can delete a published file.
 */
export async function publishArtifact(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  { artifactId, name: given, columns }: PublishArtifactArgs,
): Promise<string> {
  const artifact = await lockArtifact(tx, artifactId);
  const inferred = requirePublishable(artifact);
  if (await isArtifactPublished(tx, artifactId))
    throw new AppError('CONFLICT', 'The file is already published as a tap. Delete the tap first.');
  const dataSchema = columns?.length ? withGivenColumns(inferred, columns) : inferred;
  if (dataSchema !== inferred) tx.update(artifact, { dataSchema });
  const name = given.trim();
  const tableName = await chooseTableName(tx, name);
  const tap = tx.create(TenantConnectorTap, { attributedArtifactId: artifactId, name, enabled: true, tableName });
  await tx.em.flush();
  const { tenantId, userId } = tx.caller;
  await ensureTable(tx.em, tenantId, tap.id, { fields: tableFieldsOf(dataSchema.fields) });
  const publication = tx.create(Publication, { tap: ref(tap), artifactId, bytesTotal: artifact.fileSize });
  const change = { attributedTap: relationValue(tenantId, tap.id), updatedAt: tap.createdAt, updatedBy: userId };
  await tx.em.nativeUpdate(Artifact, { id: artifactId }, change);
  tx.recordAudit('artifact.published', artifact, { name, tableName, tapId: tap.id, ...changedTypes(columns) });
  const data = { tenantId, publicationId: publication.id };
  await jobs.enqueue(tx.em, publishArtifactQueue, data, { key: data.publicationId });
  await schedulePublicationWatch(jobs, tx.em, data);
  return tap.id;
}

function changedTypes(columns: PublishArtifactArgs['columns']): { changedTypes?: string[] } {
  return columns?.length ? { changedTypes: columns.map(({ name, type }) => `${name}: ${type}`) } : {};
}
