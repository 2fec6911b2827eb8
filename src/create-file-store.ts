import { join } from 'node:path';
import type { Config } from './config.js';
import { type FileStore, FileStoreError } from './kernel/files/file-store.js';
import { FolderStore } from './kernel/files/folder-store.js';
import type { BucketLocation } from './kernel/files/storage-url.js';
import { StartupError } from './kernel/startup-error.js';

/** Throws `StartupError` if the file store is not usable. */
export async function createFileStore({ storage, dataDir, maxUploadBytes }: Config): Promise<FileStore> {
  if (storage && 'bucket' in storage)
    return started(openBucket(storage, maxUploadBytes), `STORAGE_URL: the bucket ${storage.bucket} cannot be used`);
  const folder = storage?.folder ?? join(dataDir, 'files');
  const variable = storage ? 'STORAGE_URL' : 'DATA_DIR';
  return started(FolderStore.open(folder), `${variable}: files cannot be stored in ${folder}`);
}

/** The S3 SDK takes 35 MB of memory, so it is loaded only for a bucket. */
async function openBucket(address: BucketLocation, maxBytes: number): Promise<FileStore> {
  const { BucketStore } = await import('./kernel/files/bucket-store.js');
  return BucketStore.open(address, maxBytes);
}

function started(store: Promise<FileStore>, failure: string): Promise<FileStore> {
  return store.catch((error: unknown) => {
    throw error instanceof FileStoreError ? new StartupError(`${failure} (${error.code ?? 'unknown'})`) : error;
  });
}
