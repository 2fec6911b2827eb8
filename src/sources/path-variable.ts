import { ConnectionConfigError } from './connection-config-error.js';

/** A value of one request, such as the key of a parent record, for a variable in the path of a definition. */
export interface PathVariable {
  readonly text: string;
  /** If false, slashes in the value are percent-encoded. */
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
