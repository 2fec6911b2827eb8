import { evaluateJmesPath } from '../../kernel/formats/jmespath.js';

/** Matches the names before the first operator of an expression, such as `a.b` in `a.b[*].{ID: [0]}`. */
const LEADING_NAMES = /^\s*([A-Za-z_]\w*|"[^"\\]+")(\s*\.\s*([A-Za-z_]\w*|"[^"\\]+"))*/;

/** APIs that omit empty lists use these names only in error responses. */
const ERROR_MEMBERS = ['error', 'errors', 'error_description', 'errorCode', 'errorMessages', 'fault', 'message'];

/**
 * Returns whether a missing list means an empty page. Google's APIs, for example, omit empty lists. The list is empty
 * if its value is null, or if the object around it contains no error and no other list of objects. Any other shape is
 * unexpected, and an empty page would hide this.
 */
export function isMissingList(path: string, document: unknown, { isXml }: { isXml: boolean }): boolean {
  const names = LEADING_NAMES.exec(path)?.[0];
  if (names === undefined || path.slice(names.length).trimStart().startsWith('(')) return false;
  const last = names.lastIndexOf('.');
  const container = last < 0 ? document : evaluateJmesPath(names.slice(0, last), document);
  // An empty XML element means a list without records.
  if (isXml && container === '') return true;
  if (container === null || typeof container !== 'object' || Array.isArray(container)) return false;
  const name = names
    .slice(last + 1)
    .trim()
    .replaceAll('"', '');
  if (Object.hasOwn(container, name)) return (container as Record<string, unknown>)[name] === null;
  if (ERROR_MEMBERS.some((member) => isPresent((container as Record<string, unknown>)[member]))) return false;
  return !Object.values(container).some(isListOfObjects);
}

/** Some successful responses contain an empty list of errors. */
function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null;
}
