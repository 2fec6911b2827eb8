import type { ArtifactContext } from './artifact-context.js';

/** Bytes of a request that may be anything but its file: headers of parts, `data`, or a question of GraphQL. */
const MAX_FORM_OVERHEAD_BYTES = 2 * 1024 * 1024;

/**
 * Before the body of an upload is read. A request whose first reply may be replayed needs no room for that: `uploadArtifact` checks it if there is
 * none. Throws as `admitUpload` does.
 */
export function admitAnnouncedUpload(
  context: ArtifactContext,
  { length, mayReplay }: { length: number | undefined; mayReplay: boolean },
): Promise<void> {
  return mayReplay ? context.countUpload() : admitUpload(context, length);
}

/**
 * Before anything of an upload is read: throws TOO_MANY_REQUESTS, and STORAGE_QUOTA_EXCEEDED where the quota is used up or the request is certainly
 * too large for it. `length` is that of the request, where it is announced.
 */
export async function admitUpload({ countUpload, storage, read, caller }: ArtifactContext, length = 0): Promise<void> {
  await countUpload();
  await storage.requireSpace(read, caller.tenantId, Math.max(1, length - MAX_FORM_OVERHEAD_BYTES));
}
