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

/** Where no language model proposes, the rules do. The number changes with what they find. */
const BY_RULES = { model: 'rules/1', proposals: {}, tokenInputCount: 0, tokenOutputCount: 0 };

/** The types of the columns of a CSV file, from its first `INFERENCE_SAMPLE_BYTES`. Throws CsvFault. */
export async function inferStoredSchema(
  parts: ArtifactServices,
  tenantId: string,
  artifact: Lean<Artifact>,
): Promise<InferenceResult> {
  const bytes = await readSample(parts.store, artifactKey(tenantId, artifact.id), artifact);
  const isWhole = artifact.fileSize <= INFERENCE_SAMPLE_BYTES;
  const { proposals, ...proposed } = await proposeTypes(parts, bytes, isWhole);
  const { schema, sampleRows, columnMetadata } = await parts.csv.inferSchema(bytes, { isWhole, proposals });
  return { inference: { ...proposed, schema, columnMetadata: [...columnMetadata] }, sampleRows };
}

/** What a language model makes of the first rows. */
async function proposeTypes(
  { csv, proposer }: ArtifactServices,
  bytes: Buffer,
  isWhole: boolean,
): Promise<typeof BY_RULES & { proposals: ProposedTypes }> {
  if (!proposer) return BY_RULES;
  const { schema, sampleRows } = (await csv.checkHead(bytes, { isWhole })) as CsvHead; // `bytes` is more than a head, or all
  return { model: proposer.model, ...(await proposer.propose({ fields: schema.fields, rows: sampleRows })) };
}

/** The beginning of what was uploaded, and nothing else: WA-AF-023 where the store has lost it or has something else. */
async function readSample(
  store: ArtifactServices['store'],
  key: string,
  { fileSize, headSha256 }: Lean<Artifact>,
): Promise<Buffer> {
  const changed = (): CsvError =>
    new CsvError('WA-AF-023', 'The stored bytes are missing or not those that were uploaded.');
  try {
    const [size, bytes] = await Promise.all([store.sizeOf(key), store.readHead(key, INFERENCE_SAMPLE_BYTES)]);
    const isSame = size === fileSize && createHash('sha256').update(bytes).digest('hex') === headSha256;
    if (isSame) return bytes;
  } catch (error) {
    throw error instanceof FileNotFoundError ? changed() : error;
  }
  throw changed();
}
