import type { TraversalEdge } from './traversal.js';

/** Returns the name of the request variable that contains the key of the parent record. */
export function parentVariableOf({ templateVariable, parentKeyField }: TraversalEdge): string {
  return templateVariable ?? parentKeyField;
}
