import { statementName } from '../statement-name.js';

/** Leaves values in PostgreSQL's text format. */
const RAW = { getTypeParser: () => (text: string) => text };

/**
 * PostgreSQL keeps the statement prepared unless `isAdHoc` is true. A statement with a client's filter, for example, is
 * ad hoc.
 */
export function preparedStatement(text: string, values: readonly unknown[], isAdHoc: boolean) {
  const name = isAdHoc ? undefined : statementName(text);
  return { ...(name && { name }), text, values: [...values], rowMode: 'array' as const, types: RAW };
}
