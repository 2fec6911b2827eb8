import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const names = new LRUCache<string, string>({ max: 5_000 });

/** The name of the prepared statement is a hash, because PostgreSQL truncates names to 63 bytes. */
export function statementName(text: string): string {
  let name = names.get(text);
  if (!name) names.set(text, (name = createHash('sha256').update(text).digest('base64url').slice(0, 32)));
  return name;
}
