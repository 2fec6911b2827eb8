import { HEAD_BYTES } from '../csv/model/csv-limits.js';
import type { CsvHead } from '../csv/model/data-schema.js';
import { AppError } from '../kernel/errors.js';
import { FileStoreError } from '../kernel/files/file-store.js';
import type { IncomingFile } from '../kernel/files/incoming-file.js';
import { admitUpload } from './admit-upload.js';
import type { UploadArtifactArgs } from './artifact.inputs.js';
import type { ArtifactContext } from './artifact-context.js';
import { artifactKey } from './artifact-key.js';
import { type ArtifactLocation, validateArtifactLocation } from './artifact-location.js';
import type { ArtifactFileType } from './artifact-status.js';
import { abortUpload, beginUpload, finishUpload, withUploadLease } from './artifact-upload.js';
import { checkCsvHead } from './check-csv-head.js';
import { detectFileType } from './detect-file-type.js';
import { MeasuredBytes } from './measured-bytes.js';
import { PeekableBytes } from './peekable-bytes.js';
import { UploadReservation } from './upload-reservation.js';

interface CheckedFile extends ArtifactLocation {
  readonly fileType: ArtifactFileType;
  readonly csv: CsvHead | undefined;
}

/**
 * Checks the name and the head first, so that a rejected file leaves no row. If a later step fails, deletes the bytes
 * and the row.
 */
export async function uploadArtifact(
  context: ArtifactContext,
  { fileName, path, file }: UploadArtifactArgs,
): Promise<{ id: string; sampleRows: CsvHead['sampleRows'] }> {
  try {
    await admitUpload(context, file.length);
    const place = validateArtifactLocation(fileName ?? file.filename, path);
    const bytes = new PeekableBytes(file.createReadStream());
    const fileType = detectFileType(await bytes.peek(HEAD_BYTES), place.fileName);
    const csv = fileType === 'csv' ? await checkCsvHead(context.artifacts.csv, bytes) : undefined;
    const id = await storeFile(context, { ...place, fileType, csv }, { bytes, file });
    return { id, sampleRows: csv?.sampleRows ?? [] };
  } finally {
    file.discard();
  }
}

async function storeFile(
  context: ArtifactContext,
  { csv, ...checked }: CheckedFile,
  { bytes, file }: { bytes: PeekableBytes; file: IncomingFile },
): Promise<string> {
  const { store } = context.artifacts;
  const values = { ...checked, ...(csv && { dataSchema: csv.schema }) };
  const { id, reservedBytes } = await beginUpload(context, values, file.length);
  try {
    const { reserveUpTo } = new UploadReservation(context, id, reservedBytes);
    const measured = new MeasuredBytes(bytes, reserveUpTo);
    await withUploadLease(context, id, () => store.put(artifactKey(context.caller.tenantId, id), measured));
    await finishUpload(context, id, { ...measured.measures(), sha256: await file.sha256() });
    return id;
  } catch (error) {
    // If the result is `ready`, only the confirmation of the commit was lost.
    if ((await abortUpload(context, id)) === 'ready') return id;
    if (!(error instanceof FileStoreError)) throw error;
    context.artifacts.reportError(error, context.requestId);
    throw new AppError('WA-AF-029', 'The service could not store the file. Try again later.', { cause: error });
  }
}
