import { decodeId } from '../kernel/ids.js';

/** Key of a file's bytes in the file store. Derived from ids alone, because the bytes of a file never change. */
export function artifactKey(tenantId: string, artifactId: string): string {
  return `artifacts/${decodeId(tenantId)}/${decodeId(artifactId)}`;
}
