import { decodeId } from '../kernel/ids.js';

/** Under which key the bytes of a file are kept: UUIDs alone. A file has its bytes once and for all, so the ids say where they are. */
export function artifactKey(tenantId: string, artifactId: string): string {
  return `artifacts/${decodeId(tenantId)}/${decodeId(artifactId)}`;
}
