import type { TapReading } from '../tap-reading.js';
import type { MemberPath } from './json-list-scanner.js';

/** Names of settings that are expressions about the document of a response. */
const EXPRESSION = /(?:Path|Field)$|^when$/;

/**
 * Matches the names of settings that `usesList` ignores. Most of them are paths in a request body, a URL or a record.
 * `nextDataPath` is the path of the list of records itself.
 */
const OTHER_PATHS = /^(?:bodyPath|\w+BodyPath|pagePath|keyField|nextDataPath)$/;

/**
 * Matches characters, such as `@`, with which an expression can refer to any value. Also matches a pipe, `.{` and `.[`:
 * for example, `a | b` and `a.{x: b}` read `a.b`, but do not contain the text `a.b`.
 */
const ANY_VALUE = /[@$*]|(?<!\|)\|(?!\|)|\.\s*[{[]/;

/**
 * Returns whether settings of the pagination or of the failure rules refer to the list of records. The document of a
 * body that is read part by part does not contain this list.
 */
export function usesList({ tap, option }: TapReading, names: MemberPath): boolean {
  const { onCursorExpired, asyncQuery } = tap.sync;
  const settings = [
    ...[option.pagination, option.errorBodyRules, tap.responseExtraction.responseValidation],
    ...[onCursorExpired, asyncQuery?.recordsPagination, tap.responseExtraction.recordParts],
  ];
  const expressions = settings.flatMap(expressionsIn);
  if (names.length === 0) return expressions.length > 0;
  const list = new RegExp(
    `(^|[^\\w.])${names.map((name) => `"?${name.replace(/\W/g, '\\$&')}"?`).join('\\s*\\.\\s*')}(?!\\w)`,
  );
  return expressions.some((expression) => ANY_VALUE.test(expression) || list.test(expression));
}

function expressionsIn(setting: unknown): string[] {
  if (setting === null || typeof setting !== 'object') return [];
  return Object.entries(setting).flatMap(([name, value]) =>
    typeof value === 'string' ? (isExpression(name) ? [value] : []) : expressionsIn(value),
  );
}

function isExpression(name: string): boolean {
  return EXPRESSION.test(name) && !OTHER_PATHS.test(name);
}
