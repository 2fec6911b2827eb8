import type { ArtifactContext } from './artifact-context.js';

/** Allowance for the request's other content: part headers, `data` or the GraphQL operation. */
const MAX_FORM_OVERHEAD_BYTES = 2 * 1024 * 1024;

/**
 * Runs before the body of an upload is read. Skips the quota check for a request that may replay a stored response,
 * because a replay stores nothing. Without a stored response, `uploadArtifact` checks the quota. Throws the errors of
 * `admitUpload`.
 */
export function admitAnnouncedUpload(
  context: ArtifactContext,
  { length, mayReplay }: { length: number | undefined; mayReplay: boolean },
): Promise<void> {
  return mayReplay ? context.countUpload() : admitUpload(context, length);
}

/**
 * Throws TOO_MANY_REQUESTS, or STORAGE_QUOTA_EXCEEDED if the quota has no room for the file. `length` is the request's
 * Content-Length, if sent; without it, one free byte suffices.
 */
export async function admitUpload({ countUpload, storage, read, caller }: ArtifactContext, length = 0): Promise<void> {
  await countUpload();
  await storage.requireSpace(read, caller.tenantId, Math.max(1, length - MAX_FORM_OVERHEAD_BYTES));
}
