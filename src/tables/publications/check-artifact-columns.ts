import type { ArtifactContext } from '../../artifacts/artifact-context.js';
import { readArtifact } from '../../artifacts/find-artifact.js';
import { readSample } from '../../artifacts/infer-stored-schema.js';
import { toRequestError } from '../../artifacts/to-inference-error.js';
import { type ArtifactColumn, givenFieldsOf } from '../artifact-column.js';
import type { ColumnsCheckTask } from './check-columns.js';
import type { ArtifactColumnsCheck } from './column-check.js';
import { requirePublishable } from './publishable-artifact.js';

const WORKER = 'tables/publications/check-columns-worker.js';

/**
 * Checks the rows in the first 8 MiB of a file against its schema. The types in `columns` replace the inferred types of
 * the schema. Runs on a worker thread of the schema inferences. Stores nothing. Throws NOT_FOUND, CONFLICT,
 * TOO_MANY_REQUESTS, and WA-AF-011, WA-AF-023, WA-AF-025, WA-AF-029 or WA-AF-031.
 */
export async function checkArtifactColumns(
  { artifacts, caller: { tenantId }, read }: ArtifactContext,
  artifactId: string,
  columns: readonly ArtifactColumn[],
): Promise<ArtifactColumnsCheck> {
  const artifact = await readArtifact(read, artifactId);
  const schema = requirePublishable(artifact);
  const given = givenFieldsOf(columns);
  try {
    return await artifacts.inferences.run(tenantId, async () => {
      const task: ColumnsCheckTask = {
        ...(await readSample(artifacts.store, tenantId, artifact)),
        schema,
        columns: given,
      };
      return (await artifacts.csv.runTask(WORKER, task)) as ArtifactColumnsCheck;
    });
  } catch (error) {
    throw toRequestError(error);
  }
}
