import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Names of prepared statements. */
const statementNames = new LRUCache<string, string>({ max: 5_000 });

/** Values in PostgreSQL's text format. */
const RAW = { getTypeParser: () => (text: string) => text };

/** PostgreSQL does not keep a statement that is `isAdHoc`, such as one with a filter that a client chose. */
export function preparedStatement(text: string, values: readonly unknown[], isAdHoc: boolean) {
  return { ...(!isAdHoc && { name: nameOf(text) }), text, values: [...values], rowMode: 'array' as const, types: RAW };
}

/** Hashed, because PostgreSQL truncates names at 63 bytes. */
function nameOf(text: string): string {
  let name = statementNames.get(text);
  if (!name) statementNames.set(text, (name = createHash('sha256').update(text).digest('base64url').slice(0, 32)));
  return name;
}
