import { type ASTVisitor, GraphQLError, Kind, type SelectionSetNode, type ValidationContext } from 'graphql';

/** The deepest useful query of the catalog has 16 levels. */
const MAX_DEPTH = 20;

/**
 * Computes the depth of a fragment once. Ignores introspection, whose depth graphql-js limits. Terminates for cyclic
 * spreads, which another rule rejects.
 */
export function depthLimit(context: ValidationContext): ASTVisitor {
  const depths = new Map<string, number>();

  function fragmentDepth(name: string): number {
    const known = depths.get(name);
    if (known !== undefined) return known;
    depths.set(name, 0);
    const fragment = context.getFragment(name);
    const depth = fragment ? depthOf(fragment.selectionSet) : 0;
    depths.set(name, depth);
    return depth;
  }

  function depthOf({ selections }: SelectionSetNode): number {
    let deepest = 0;
    for (const node of selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) deepest = Math.max(deepest, fragmentDepth(node.name.value));
      else if (node.kind === Kind.INLINE_FRAGMENT) deepest = Math.max(deepest, depthOf(node.selectionSet));
      else if (!node.name.value.startsWith('__'))
        deepest = Math.max(deepest, 1 + (node.selectionSet ? depthOf(node.selectionSet) : 0));
    }
    return deepest;
  }

  return {
    OperationDefinition(node) {
      if (depthOf(node.selectionSet) > MAX_DEPTH)
        context.reportError(
          new GraphQLError(`The operation nests fields more than ${MAX_DEPTH} levels deep.`, { nodes: node }),
        );
      return false;
    },
  };
}
