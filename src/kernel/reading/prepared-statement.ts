import { statementName } from '../statement-name.js';

/** Values in PostgreSQL's text format. */
const RAW = { getTypeParser: () => (text: string) => text };

/** PostgreSQL does not keep a statement that is `isAdHoc`, such as one with a filter that a client chose. */
export function preparedStatement(text: string, values: readonly unknown[], isAdHoc: boolean) {
  const name = isAdHoc ? undefined : statementName(text);
  return { ...(name && { name }), text, values: [...values], rowMode: 'array' as const, types: RAW };
}
