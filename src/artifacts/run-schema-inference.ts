import { CsvError } from '../csv/model/csv-error.js';
import { newId } from '../kernel/ids.js';
import type { Lean } from '../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import type { Artifact } from './artifact.js';
import { scheduleArtifactCleanup } from './artifact-cleanup-job.js';
import type { ArtifactContext } from './artifact-context.js';
import type { ArtifactUploadResult } from './artifact-upload-result.js';
import { lockArtifact, readArtifact } from './find-artifact.js';
import { type InferenceResult, inferStoredSchema } from './infer-stored-schema.js';
import type { SchemaInferenceError } from './schema-inference.js';
import { toInferenceError } from './to-inference-error.js';

/** Seconds after which an inference is over for sure: reading, a language model and the rules together take less. */
const INFERENCE_LEASE_SECONDS = 120;

/**
 * Finds the types of the columns. What stands in the way of a run at all (WA-AF-020, 021, 022) changes nothing; a run that fails leaves the state
 * `failed` and the schema as it was. Either way the answer says why. NOT_FOUND where there is no such file.
 */
export async function runSchemaInference(context: ArtifactContext, id: string): Promise<ArtifactUploadResult> {
  const { artifacts, caller, read } = context;
  const result =
    findObstacle(await readArtifact(read, id)) ??
    (await artifacts.inferences.run(caller.tenantId, () => infer(context, id)));
  const artifact = await readArtifact(read, id);
  return 'inference' in result ? { artifact, ...result } : { artifact, sampleRows: [], inferenceError: result };
}

async function infer(context: ArtifactContext, id: string): Promise<InferenceResult | SchemaInferenceError> {
  const { artifacts, caller, requestId } = context;
  const run = newId();
  const obstacle = await context.write((tx) => claimRun(tx, context, id, run));
  if (obstacle) return obstacle;
  const artifact = await readArtifact(context.read, id);
  const result = await inferStoredSchema(artifacts, caller.tenantId, artifact).catch((error: unknown) => {
    if (!(error instanceof CsvError)) artifacts.reportError(error, requestId); // that a file is no table is no fault of ours
    return toInferenceError(error);
  });
  const isOurs = await context.write((tx) => endRun(tx, id, run, result));
  return isOurs ? result : ALREADY_RUNNING;
}

const ALREADY_RUNNING: SchemaInferenceError = { code: 'WA-AF-022', message: 'An inference of the file is under way.' };

/** What stands in the way of a run, by what the row says; none where it is claimed. */
async function claimRun(
  tx: WorkspaceTransaction,
  { artifacts, caller }: ArtifactContext,
  id: string,
  run: string,
): Promise<SchemaInferenceError | undefined> {
  const artifact = await lockArtifact(tx, id);
  const obstacle = findObstacle(artifact);
  if (obstacle) return obstacle;
  const inferringUntil = new Date(Date.now() + INFERENCE_LEASE_SECONDS * 1_000);
  tx.update(artifact, { schemaInferenceStatus: 'running', inferenceRun: run, inferringUntil });
  const data = { tenantId: caller.tenantId, artifactId: id };
  await scheduleArtifactCleanup(artifacts.jobs, tx.em, data, INFERENCE_LEASE_SECONDS + 5);
  return undefined;
}

/** None where a run may begin. */
function findObstacle(artifact: Artifact | Lean<Artifact>): SchemaInferenceError | undefined {
  const { uploadStatus, fileType, schemaInferenceStatus, inferringUntil } = artifact;
  if (uploadStatus !== 'ready') return { code: 'WA-AF-021', message: 'The file is not ready.' };
  if (fileType !== 'csv') return { code: 'WA-AF-020', message: `The file is no CSV file, but ${fileType}.` };
  const isRunning = schemaInferenceStatus === 'running' && new Date(inferringUntil ?? 0).getTime() > Date.now();
  return isRunning ? ALREADY_RUNNING : undefined;
}

/** Keeps what was found, unless another run has taken over. NOT_FOUND where the file was deleted meanwhile. */
async function endRun(
  tx: WorkspaceTransaction,
  id: string,
  run: string,
  result: InferenceResult | SchemaInferenceError,
): Promise<boolean> {
  const artifact = await lockArtifact(tx, id);
  if (artifact.inferenceRun !== run) return false;
  const ended = { inferenceRun: null as never, inferringUntil: null as never };
  if ('inference' in result) {
    const { inference } = result;
    const found = { dataSchema: inference.schema, inference, inferenceError: null as never };
    tx.update(artifact, { ...ended, ...found, schemaInferenceStatus: 'succeeded' });
    tx.recordAudit('artifact.inferred', artifact, { model: inference.model });
  } else {
    tx.update(artifact, { ...ended, inferenceError: result, schemaInferenceStatus: 'failed' });
    tx.recordAudit('artifact.inference_failed', artifact, { code: result.code });
  }
  return true;
}
