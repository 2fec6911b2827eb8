import { ref } from '@mikro-orm/core';
import { Artifact } from '../../artifacts/artifact.js';
import { isArtifactPublished, lockArtifact } from '../../artifacts/find-artifact.js';
import type { DataSchema } from '../../csv/model/data-schema.js';
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

/**
 * Creates a tap and its table for a CSV file with a completed schema inference, and enqueues the job that loads the
 * rows. Returns the id of the tap. Publication and deletion of the file both lock the file first, so a published file
 * cannot be deleted.
 */
export async function publishArtifact(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  { artifactId, name: given }: PublishArtifactArgs,
): Promise<string> {
  const artifact = await lockArtifact(tx, artifactId);
  const { fields } = requirePublishable(artifact);
  if (await isArtifactPublished(tx, artifactId))
    throw new AppError('CONFLICT', 'The file is already published as a tap; delete the tap first.');
  const name = given.trim();
  const tableName = await chooseTableName(tx, name);
  const tap = tx.create(TenantConnectorTap, { attributedArtifactId: artifactId, name, enabled: true, tableName });
  await tx.em.flush();
  const { tenantId, userId } = tx.caller;
  await ensureTable(tx.em, tenantId, tap.id, { fields: tableFieldsOf(fields) });
  const publication = tx.create(Publication, { tap: ref(tap), artifactId, bytesTotal: artifact.fileSize });
  const change = { attributedTap: relationValue(tenantId, tap.id), updatedAt: tap.createdAt, updatedBy: userId };
  await tx.em.nativeUpdate(Artifact, { id: artifactId }, change);
  tx.recordAudit('artifact.published', artifact, { name, tableName, tapId: tap.id });
  const data = { tenantId, publicationId: publication.id };
  await jobs.enqueue(tx.em, publishArtifactQueue, data, { key: data.publicationId });
  await schedulePublicationWatch(jobs, tx.em, data);
  return tap.id;
}

/** Returns the schema of the file, or throws CONFLICT with the remedy. */
function requirePublishable({ fileType, uploadStatus, schemaInferenceStatus, dataSchema }: Artifact): DataSchema {
  const blockers: [isBlocking: boolean, message: string][] = [
    [fileType !== 'csv', 'Only CSV files can be published; convert the file to CSV and upload it again.'],
    [uploadStatus === 'pending', 'The upload is not complete; publish the file when its upload has succeeded.'],
    [uploadStatus === 'failed', 'The upload of the file failed; upload it again.'],
    [
      schemaInferenceStatus === 'not_requested',
      'The types of the columns are not known; run the schema inference first.',
    ],
    [schemaInferenceStatus === 'running', 'The schema inference is running; publish the file when it has succeeded.'],
    [schemaInferenceStatus === 'failed', 'The schema inference failed; correct the file or run the inference again.'],
  ];
  const [blocker] = blockers.filter(([isBlocking]) => isBlocking);
  if (blocker || !dataSchema)
    throw new AppError(
      'CONFLICT',
      blocker?.[1] ?? 'The columns of the file are not known; run the schema inference first.',
    );
  return dataSchema;
}
