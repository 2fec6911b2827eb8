import { statementName } from '../statement-name.js';

/** Returns values as text, in PostgreSQL's text format. */
const RAW = { getTypeParser: () => (text: string) => text };

/**
 * PostgreSQL does not keep a statement prepared if `isAdHoc` is true. A statement with a client's filter is an example.
 */
export function preparedStatement(text: string, values: readonly unknown[], isAdHoc: boolean) {
  const name = isAdHoc ? undefined : statementName(text);
  return { ...(name && { name }), text, values: [...values], rowMode: 'array' as const, types: RAW };
}
