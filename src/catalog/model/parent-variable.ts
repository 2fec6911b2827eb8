import type { TraversalEdge } from './traversal.js';

/** Name of the request variable that holds the key of the parent record. */
export function parentVariableOf({ templateVariable, parentKeyField }: TraversalEdge): string {
  return templateVariable ?? parentKeyField;
}
