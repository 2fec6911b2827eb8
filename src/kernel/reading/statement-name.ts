import { createHash } from 'node:crypto';

/** Names of prepared statements. They come only from code, so the map stays small. */
const statementNames = new Map<string, string>();

/** Hashed, because PostgreSQL truncates names at 63 bytes. */
export function statementName(text: string): string {
  let name = statementNames.get(text);
  if (!name) statementNames.set(text, (name = createHash('sha256').update(text).digest('base64url').slice(0, 32)));
  return name;
}
