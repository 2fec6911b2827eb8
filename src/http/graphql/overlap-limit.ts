import { type ASTVisitor, GraphQLError, Kind, type SelectionSetNode, type ValidationContext } from 'graphql';

/** Pairs of fields with the same response name. graphql-js compares the fields of each pair. */
const MAX_PAIRS = 10_000;
const TOO_MANY_PAIRS = `The operation has more than ${MAX_PAIRS.toLocaleString('en')} pairs of fields with the same response name. Remove repeated fields.`;

/** The keys are response names. */
type Merged = Map<string, { count: number; below: SelectionSetNode[] }>;

/** Expands fragments. The document must be within `sizeLimit` and must not have cyclic fragments. */
export function overlapLimit(context: ValidationContext): ASTVisitor {
  function mergedOf(selectionSets: readonly SelectionSetNode[], merged: Merged = new Map()): Merged {
    for (const node of selectionSets.flatMap(({ selections }) => selections)) {
      if (node.kind === Kind.FIELD) {
        const name = node.alias?.value ?? node.name.value;
        const { count, below } = merged.get(name) ?? { count: 0, below: [] };
        if (node.selectionSet) below.push(node.selectionSet);
        merged.set(name, { count: count + 1, below });
      } else {
        const spread = node.kind === Kind.FRAGMENT_SPREAD ? context.getFragment(node.name.value) : node;
        if (spread) mergedOf([spread.selectionSet], merged);
      }
    }
    return merged;
  }

  function pairsIn(selectionSets: readonly SelectionSetNode[]): number {
    let pairs = 0;
    for (const { count, below } of mergedOf(selectionSets).values())
      pairs += (count * (count - 1)) / 2 + (below.length > 0 ? pairsIn(below) : 0);
    return pairs;
  }

  return {
    OperationDefinition(node) {
      if (pairsIn([node.selectionSet]) > MAX_PAIRS)
        context.reportError(new GraphQLError(TOO_MANY_PAIRS, { nodes: node }));
      return false;
    },
  };
}
