import { createHash } from 'node:crypto';
import { CsvError } from '../csv/model/csv-error.js';
import type { CsvHead, ProposedTypes, SampleRow } from '../csv/model/data-schema.js';
import { FileNotFoundError } from '../kernel/files/file-store.js';
import type { Lean } from '../kernel/reading/reader.js';
import type { Artifact } from './artifact.js';
import type { ArtifactServices } from './artifact-context.js';
import { artifactKey } from './artifact-key.js';
import { INFERENCE_SAMPLE_BYTES } from './measured-bytes.js';
import type { SchemaInference } from './schema-inference.js';

export interface InferenceResult {
  readonly inference: SchemaInference;
  readonly sampleRows: readonly SampleRow[];
}

/**
 * Values for an inference without a language model. The version (`3`) increases when a changed rule infers different
 * types.
 */
const BY_RULES = { model: 'rules/3', proposals: {}, tokenInputCount: 0, tokenOutputCount: 0 };

/** Throws `CsvError` and `FileStoreError`. */
export async function inferStoredSchema(
  services: ArtifactServices,
  tenantId: string,
  artifact: Lean<Artifact>,
): Promise<InferenceResult> {
  const { bytes, isWhole } = await readSample(services.store, tenantId, artifact);
  const { proposals, ...proposed } = await proposeTypes(services, bytes, isWhole);
  const { schema, sampleRows, columnMetadata, structure } = await services.csv.inferSchema(bytes, {
    isWhole,
    proposals,
  });
  return { inference: { ...proposed, schema, columnMetadata: [...columnMetadata], structure }, sampleRows };
}

async function proposeTypes(
  { csv, proposer }: ArtifactServices,
  bytes: Buffer,
  isWhole: boolean,
): Promise<typeof BY_RULES & { proposals: ProposedTypes }> {
  if (!proposer) return BY_RULES;
  // `checkHead` never returns `more` here, because `bytes` is longer than a head or is the whole file.
  const { schema, sampleRows } = (await csv.checkHead(bytes, { isWhole })) as CsvHead;
  return { model: proposer.model, ...(await proposer.propose({ fields: schema.fields, rows: sampleRows })) };
}

export function storedBytesChanged(): CsvError {
  return new CsvError(
    'WA-AF-023',
    'The stored bytes are missing, or differ from the uploaded bytes. Upload the file again.',
  );
}

/**
 * Throws WA-AF-023 if the stored bytes are missing or differ from the uploaded bytes, and `FileStoreError` if the store
 * fails.
 */
export async function readSample(
  store: ArtifactServices['store'],
  tenantId: string,
  { id, fileSize, headSha256 }: Lean<Artifact>,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const key = artifactKey(tenantId, id);
  try {
    const [size, bytes] = await Promise.all([store.sizeOf(key), store.readHead(key, INFERENCE_SAMPLE_BYTES)]);
    const isSame = size === fileSize && createHash('sha256').update(bytes).digest('hex') === headSha256;
    if (isSame) return { bytes, isWhole: fileSize <= INFERENCE_SAMPLE_BYTES };
  } catch (error) {
    throw error instanceof FileNotFoundError ? storedBytesChanged() : error;
  }
  throw storedBytesChanged();
}
