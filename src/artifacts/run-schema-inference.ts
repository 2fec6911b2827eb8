import { CsvError } from '../csv/model/csv-error.js';
import { isLeased, leaseEnd } from '../kernel/concurrency/lease.js';
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

/** Must exceed the longest possible inference, which reads the file, calls the language model and applies the rules. */
const INFERENCE_LEASE_SECONDS = 120;

/**
 * If the inference fails, stores and returns the error, and keeps the previous schema. Returns an error (WA-AF-020, 021
 * or 022) and stores nothing if the inference cannot start, or if a later inference has taken over the lease. Throws
 * NOT_FOUND, and TOO_MANY_REQUESTS of `InferenceSemaphore`.
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
    // Clients receive the whole message of a `CsvError`, so the log does not need it.
    if (!(error instanceof CsvError)) artifacts.reportError(error, requestId);
    return toInferenceError(error);
  });
  const isSaved = await context.write((tx) => endRun(tx, id, run, result));
  return isSaved ? result : ALREADY_RUNNING;
}

const ALREADY_RUNNING: SchemaInferenceError = {
  code: 'WA-AF-022',
  message: 'An inference of the file is already running. Wait until that inference ends.',
};

async function claimRun(
  tx: WorkspaceTransaction,
  { artifacts, caller }: ArtifactContext,
  id: string,
  run: string,
): Promise<SchemaInferenceError | undefined> {
  const artifact = await lockArtifact(tx, id);
  const obstacle = findObstacle(artifact);
  if (obstacle) return obstacle;
  const inferringUntil = leaseEnd(INFERENCE_LEASE_SECONDS);
  tx.update(artifact, { schemaInferenceStatus: 'running', inferenceRun: run, inferringUntil });
  const data = { tenantId: caller.tenantId, artifactId: id };
  await scheduleArtifactCleanup(artifacts.jobs, tx.em, data, INFERENCE_LEASE_SECONDS + 5);
  return undefined;
}

function findObstacle(artifact: Artifact | Lean<Artifact>): SchemaInferenceError | undefined {
  const { uploadStatus, fileType, schemaInferenceStatus, inferringUntil } = artifact;
  if (uploadStatus !== 'ready')
    return {
      code: 'WA-AF-021',
      message: 'The upload is still running or has failed. Try again after the upload, or upload the file again.',
    };
  if (fileType !== 'csv')
    return { code: 'WA-AF-020', message: `The file has the type ${fileType}. An inference requires a CSV file.` };
  return schemaInferenceStatus === 'running' && isLeased(inferringUntil) ? ALREADY_RUNNING : undefined;
}

/**
 * Returns false and stores nothing if another inference has acquired the lease. Throws NOT_FOUND if the file was
 * deleted.
 */
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
    // A published file keeps its schema, because its table has the columns and types of this schema.
    const dataSchema = artifact.attributedTap ? artifact.dataSchema : inference.schema;
    const found = { ...(dataSchema && { dataSchema }), inference, inferenceError: null as never };
    tx.update(artifact, { ...ended, ...found, schemaInferenceStatus: 'succeeded' });
    tx.recordAudit('artifact.inferred', artifact, { model: inference.model });
  } else {
    tx.update(artifact, { ...ended, inferenceError: result, schemaInferenceStatus: 'failed' });
    tx.recordAudit('artifact.inference_failed', artifact, { code: result.code });
  }
  return true;
}
