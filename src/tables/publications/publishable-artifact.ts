import type { Artifact } from '../../artifacts/artifact.js';
import { toRequestError } from '../../artifacts/to-inference-error.js';
import type { DataSchema } from '../../csv/model/data-schema.js';
import { changeFields, withGivenType } from '../../csv/types/change-fields.js';
import { AppError } from '../../kernel/errors.js';
import { type ArtifactColumn, givenFieldsOf } from '../artifact-column.js';

/** Throws CONFLICT if the file cannot be published. The message tells the caller what to do. */
export function requirePublishable({
  fileType,
  uploadStatus,
  schemaInferenceStatus,
  dataSchema,
}: Pick<Artifact, 'fileType' | 'uploadStatus' | 'schemaInferenceStatus' | 'dataSchema'>): DataSchema {
  const blockers: [isBlocking: boolean, message: string][] = [
    [
      fileType !== 'csv',
      'The service publishes CSV files only. Convert the file to CSV, then upload the converted file.',
    ],
    [
      uploadStatus === 'pending',
      'The upload of the file is not complete. Publish the file after the upload has succeeded.',
    ],
    [uploadStatus === 'failed', 'The upload of the file failed. Upload the file again.'],
    [
      schemaInferenceStatus === 'not_requested',
      'The types of the columns are not known. Run the schema inference first.',
    ],
    [
      schemaInferenceStatus === 'running',
      'The schema inference is running. Publish the file after the inference has succeeded.',
    ],
    [
      schemaInferenceStatus === 'failed',
      'The schema inference failed. Upload a corrected file, or run the inference again.',
    ],
  ];
  const [blocker] = blockers.filter(([isBlocking]) => isBlocking);
  if (blocker || !dataSchema)
    throw new AppError(
      'CONFLICT',
      blocker?.[1] ?? 'The columns of the file are not known. Run the schema inference first.',
    );
  return dataSchema;
}

/** Throws WA-AF-031. */
export function withGivenColumns(schema: DataSchema, columns: readonly ArtifactColumn[]): DataSchema {
  try {
    return changeFields(schema, givenFieldsOf(columns), withGivenType);
  } catch (error) {
    throw toRequestError(error);
  }
}
