import { parentVariableOf } from '../../catalog/model/parent-variable.js';
import type { TraversalEdge } from '../../catalog/model/traversal.js';
import type { SliceScope } from '../tap-reading.js';
import { WHOLE_TAP } from './fan-out.js';

/**
 * For edges with the same variable, the run reads the tap once per parent record of any of these edges. For edges with
 * different variables, the run reads the tap once per combination of parent records.
 */
export function groupEdges(edges: readonly TraversalEdge[]): TraversalEdge[][] {
  const groups = new Map<string, TraversalEdge[]>();
  for (const edge of edges) {
    const variable = parentVariableOf(edge);
    groups.set(variable, [...(groups.get(variable) ?? []), edge]);
  }
  return [...groups.values()];
}

/** Yields one scope at a time, because the scopes for all combinations may together exceed the memory. */
export function* combineScopes(lists: readonly (readonly SliceScope[])[], scope = WHOLE_TAP): Generator<SliceScope> {
  const [list, ...others] = lists;
  if (!list) return yield scope;
  for (const { variables, parentFields } of list)
    yield* combineScopes(others, {
      variables: { ...scope.variables, ...variables },
      parentFields: { ...scope.parentFields, ...parentFields },
    });
}
