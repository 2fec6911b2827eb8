import type { ArtifactContext } from './artifact-context.js';

/** Bytes of a request that may be anything but its file: headers of parts, `data`, or a question of GraphQL. */
const AROUND_FILE = 2 * 1024 * 1024;

/**
 * Before anything of an upload is read: throws TOO_MANY_REQUESTS, and STORAGE_QUOTA_EXCEEDED where the quota is used up or the request is certainly
 * too large for it. `length` is that of the request, where it is announced.
 */
export async function admitUpload({ countUpload, storage, read, caller }: ArtifactContext, length = 0): Promise<void> {
  await countUpload();
  await storage.requireRoom(read, caller.tenantId, Math.max(1, length - AROUND_FILE));
}
