import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { artifactKey } from '../../artifacts/artifact-key.js';
import { storedBytesChanged } from '../../artifacts/infer-stored-schema.js';
import { FileNotFoundError, type FileStore } from '../../kernel/files/file-store.js';

interface UploadedFile {
  readonly id: string;
  readonly fileSize: number;
  /** Hexadecimal. */
  readonly sha256: string | undefined;
}

/**
 * Yields the bytes of an uploaded file. Throws `CsvError` WA-AF-023 if the bytes are missing or differ from the upload.
 * Detects a wrong hash only at the end of the file. Throws `FileStoreError` if the store fails.
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
    if (length > fileSize) throw storedBytesChanged();
    hash.update(piece);
    yield piece;
  }
  if (length !== fileSize || hash.digest('hex') !== sha256) throw storedBytesChanged();
}

async function openFile(store: FileStore, key: string): Promise<Readable> {
  try {
    return await store.open(key);
  } catch (error) {
    throw error instanceof FileNotFoundError ? storedBytesChanged() : error;
  }
}
