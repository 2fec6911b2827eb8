import type { ArtifactContext } from './artifact-context.js';

/** Space in the request body for the part headers and for `data` or the GraphQL operation. */
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
 * `length` is the Content-Length of the request, from which the function derives a minimum file size. Throws
 * TOO_MANY_REQUESTS above the rate limit of uploads, and STORAGE_QUOTA_EXCEEDED if the file exceeds the quota.
 */
export async function admitUpload({ countUpload, storage, read, caller }: ArtifactContext, length = 0): Promise<void> {
  await countUpload();
  await storage.requireSpace(read, caller.tenantId, Math.max(1, length - MAX_FORM_OVERHEAD_BYTES));
}
