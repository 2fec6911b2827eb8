import { decodeId } from '../kernel/ids.js';

/** The key needs no version, because the bytes of a file never change. */
export function artifactKey(tenantId: string, artifactId: string): string {
  return `artifacts/${decodeId(tenantId)}/${decodeId(artifactId)}`;
}
