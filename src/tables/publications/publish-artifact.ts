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
 * Makes a tap of a CSV file whose types are known, with a table that a job fills; its id. The file cannot be deleted while the tap is there:
 * both lock the file first.
 */
export async function publishArtifact(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  { artifactId, name: given }: PublishArtifactArgs,
): Promise<string> {
  const artifact = await lockArtifact(tx, artifactId);
  const { fields } = requirePublishable(artifact);
  if (await isArtifactPublished(tx, artifactId))
    throw new AppError('CONFLICT', 'A tap was published from the file already; delete the tap first.');
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

/** Its schema, or CONFLICT with what is to be done first. */
function requirePublishable({ fileType, uploadStatus, schemaInferenceStatus, dataSchema }: Artifact): DataSchema {
  const refusals: [isRefused: boolean, sentence: string][] = [
    [fileType !== 'csv', 'Only CSV files can be published; upload the table as one.'],
    [uploadStatus === 'pending', 'The file is still on its way; publish it when it is ready.'],
    [uploadStatus === 'failed', 'The upload of the file failed; upload it again.'],
    [
      schemaInferenceStatus === 'not_requested',
      'The types of its columns are not known yet; run the schema inference.',
    ],
    [schemaInferenceStatus === 'running', 'The schema inference is under way; publish the file when it has succeeded.'],
    [schemaInferenceStatus === 'failed', 'The schema inference failed; mend the file, or run the inference again.'],
  ];
  const [refusal] = refusals.filter(([isRefused]) => isRefused);
  if (refusal || !dataSchema) throw new AppError('CONFLICT', refusal?.[1] ?? 'The columns of the file are not known.');
  return dataSchema;
}
