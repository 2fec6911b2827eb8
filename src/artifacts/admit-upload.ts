import type { ArtifactContext } from './artifact-context.js';

/** Maximum size of an upload form without the content of the file. */
const MAX_FORM_OVERHEAD_BYTES = 2 * 1024 * 1024;

/**
 * Runs before the service reads the body of an upload. Skips the quota check if the request may replay a stored
 * response, because a replay stores nothing. Throws the errors of `admitUpload`.
 */
export function admitAnnouncedUpload(
  context: ArtifactContext,
  { length, mayReplay }: { length: number | undefined; mayReplay: boolean },
): Promise<void> {
  return mayReplay ? context.countUpload() : admitUpload(context, length);
}

/**
 * Derives a minimum file size from `length`, the Content-Length of the request. Throws
 * TOO_MANY_REQUESTS above the rate limit of uploads, and STORAGE_QUOTA_EXCEEDED if the quota has no room for a file of
 * the minimum size.
 */
export async function admitUpload({ countUpload, storage, read, caller }: ArtifactContext, length = 0): Promise<void> {
  await countUpload();
  await storage.requireSpace(read, caller.tenantId, Math.max(1, length - MAX_FORM_OVERHEAD_BYTES));
}
