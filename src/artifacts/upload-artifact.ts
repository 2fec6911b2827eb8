import { HEAD_BYTES } from '../csv/csv-limits.js';
import type { CsvHead } from '../csv/data-schema.js';
import { AppError } from '../kernel/errors.js';
import { StoringFailed } from '../kernel/file-store.js';
import type { IncomingFile } from '../kernel/incoming-file.js';
import { admitUpload } from './admit-upload.js';
import type { UploadArtifactArgs } from './artifact.inputs.js';
import type { ArtifactContext } from './artifact-context.js';
import { artifactKey } from './artifact-key.js';
import { type Place, requirePlace } from './artifact-place.js';
import type { ArtifactFileType } from './artifact-status.js';
import { beginUpload, finishUpload, giveUpUpload, whileUploading } from './artifact-upload.js';
import { checkCsvHead } from './check-csv-head.js';
import { MeasuredBytes } from './measured-bytes.js';
import { PeekedBytes } from './peeked-bytes.js';
import { recogniseFile } from './recognise-file.js';
import { UploadReservation } from './upload-reservation.js';

/** What is known of a file before any of it is kept. */
interface Checked extends Place {
  readonly fileType: ArtifactFileType;
  readonly csv: CsvHead | undefined;
}

/**
 * Keeps an uploaded file. Its beginning is looked at first, so what is refused for its name or content leaves no trace; then there is a row, and it is
 * `ready` only once all bytes are durable. What fails in between is taken back, at once or, where the process is lost, by the cleanup job.
 */
export async function uploadArtifact(
  context: ArtifactContext,
  { fileName, path, file }: UploadArtifactArgs,
): Promise<{ id: string; sampleRows: CsvHead['sampleRows'] }> {
  try {
    await admitUpload(context, file.length);
    const place = requirePlace(fileName ?? file.name, path);
    const bytes = new PeekedBytes(file.read());
    const fileType = recogniseFile(await bytes.peek(HEAD_BYTES), place.fileName);
    const csv = fileType === 'csv' ? await checkCsvHead(context.artifacts.csv, bytes) : undefined;
    const id = await keep(context, { ...place, fileType, csv }, { bytes, file });
    return { id, sampleRows: csv?.sampleRows ?? [] };
  } finally {
    file.letGo();
  }
}

async function keep(
  context: ArtifactContext,
  { csv, ...checked }: Checked,
  { bytes, file }: { bytes: PeekedBytes; file: IncomingFile },
): Promise<string> {
  const { store } = context.artifacts;
  const values = { ...checked, ...(csv && { dataSchema: csv.schema }) };
  const { id, reservedBytes } = await beginUpload(context, values, file.length);
  try {
    const { cover } = new UploadReservation(context, id, reservedBytes);
    const measured = new MeasuredBytes(bytes, cover);
    await whileUploading(context, id, () => store.put(artifactKey(context.caller.tenantId, id), measured));
    await finishUpload(context, id, { ...measured.measures(), sha256: await file.sha256() });
    return id;
  } catch (error) {
    if ((await giveUpUpload(context, id)) === 'ready') return id; // only the answer to the last commit was lost
    if (!(error instanceof StoringFailed)) throw error;
    context.artifacts.report(error, context.requestId);
    throw new AppError('WA-AF-029', 'The file could not be stored, and nothing of it was kept.', { cause: error });
  }
}
