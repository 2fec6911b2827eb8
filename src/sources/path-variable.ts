import { ConnectionConfigError } from './connection-config-error.js';

/** The value of a path variable in one request, such as the key of a parent record. */
export interface PathVariable {
  readonly text: string;
  /** Whether slashes separate path segments. Otherwise, the service percent-encodes the slashes. */
  readonly hasSegments?: boolean;
}

export type PathVariables = Readonly<Record<string, PathVariable>>;

/** An empty value would address the collection instead of one object. */
export function isPathValue({ text, hasSegments }: PathVariable): boolean {
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) return false;
  return (hasSegments ? text.split('/') : [text]).every((segment) => segment !== '' && !/^\.{1,2}$/.test(segment));
}

/** Throws `ConnectionConfigError` if the value cannot be part of a path. */
export function encodePathVariable(name: string, variable: PathVariable): string {
  if (!isPathValue(variable)) throw new ConnectionConfigError(name, 'the value cannot be part of the path of a URL.');
  const { text, hasSegments } = variable;
  return hasSegments ? text.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(text);
}
