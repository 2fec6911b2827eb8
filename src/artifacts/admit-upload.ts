import type { ArtifactContext } from './artifact-context.js';

/** Allowance for the part headers and for `data` or the GraphQL operation, in addition to the file. */
const MAX_FORM_OVERHEAD_BYTES = 2 * 1024 * 1024;

/**
 * Admits an upload before the service reads its body. Skips the quota check for a request that may replay a stored
 * response, because a replay stores nothing. If the request is not a replay, `uploadArtifact` checks the quota. Throws
 * the errors of `admitUpload`.
 */
export function admitAnnouncedUpload(
  context: ArtifactContext,
  { length, mayReplay }: { length: number | undefined; mayReplay: boolean },
): Promise<void> {
  return mayReplay ? context.countUpload() : admitUpload(context, length);
}

/**
 * Counts the upload and checks the quota. Throws TOO_MANY_REQUESTS above the rate limit of uploads, and
 * STORAGE_QUOTA_EXCEEDED if the quota has no room for the file. `length` is the Content-Length of the request. The file
 * counts as `length` less `MAX_FORM_OVERHEAD_BYTES`, and as at least one byte.
 */
export async function admitUpload({ countUpload, storage, read, caller }: ArtifactContext, length = 0): Promise<void> {
  await countUpload();
  await storage.requireSpace(read, caller.tenantId, Math.max(1, length - MAX_FORM_OVERHEAD_BYTES));
}
