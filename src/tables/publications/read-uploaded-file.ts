import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { artifactKey } from '../../artifacts/artifact-key.js';
import { CsvError } from '../../csv/model/csv-error.js';
import { FileNotFoundError, type FileStore } from '../../kernel/files/file-store.js';

interface UploadedFile {
  readonly id: string;
  readonly fileSize: number;
  /** In hexadecimal. */
  readonly sha256: string | undefined;
}

/**
 * Streams the bytes of an uploaded file. Throws `CsvError` WA-AF-023 if they are missing or differ from the upload; a
 * wrong hash is detected only at the end. Throws `FileStoreError`.
 */
export async function* readUploadedFile(
  store: FileStore,
  tenantId: string,
  { id, fileSize, sha256 }: UploadedFile,
): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256');
  const source = await openFile(store, artifactKey(tenantId, id));
  let length = 0;
  for await (const piece of source as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > fileSize) throw changed();
    hash.update(piece);
    yield piece;
  }
  if (length !== fileSize || hash.digest('hex') !== sha256) throw changed();
}

async function openFile(store: FileStore, key: string): Promise<Readable> {
  try {
    return await store.open(key);
  } catch (error) {
    throw error instanceof FileNotFoundError ? changed() : error;
  }
}

function changed(): CsvError {
  return new CsvError(
    'WA-AF-023',
    'The stored bytes are missing, or differ from the uploaded bytes. Upload the file again.',
  );
}
