import type { TraversalEdge } from './traversal.js';

export function parentVariableOf({ templateVariable, parentKeyField }: TraversalEdge): string {
  return templateVariable ?? parentKeyField;
}
