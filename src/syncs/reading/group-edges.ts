import { parentVariableOf } from '../../catalog/model/parent-variable.js';
import type { TraversalEdge } from '../../catalog/model/traversal.js';
import type { SliceScope } from '../tap-reading.js';
import { WHOLE_TAP } from './fan-out.js';

/**
 * Edges with the same variable are alternative parents. For edges with different variables, the run reads the tap once
 * per combination of their parents.
 */
export function groupEdges(edges: readonly TraversalEdge[]): TraversalEdge[][] {
  const groups = new Map<string, TraversalEdge[]>();
  for (const edge of edges) {
    const variable = parentVariableOf(edge);
    groups.set(variable, [...(groups.get(variable) ?? []), edge]);
  }
  return [...groups.values()];
}

/** All combinations together may not fit into memory. */
export function* combineScopes(lists: readonly (readonly SliceScope[])[], scope = WHOLE_TAP): Generator<SliceScope> {
  const [list, ...others] = lists;
  if (!list) return yield scope;
  for (const { variables, parentFields } of list)
    yield* combineScopes(others, {
      variables: { ...scope.variables, ...variables },
      parentFields: { ...scope.parentFields, ...parentFields },
    });
}
