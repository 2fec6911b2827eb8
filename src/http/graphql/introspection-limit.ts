import { type ASTVisitor, GraphQLError, Kind, type SelectionSetNode, type ValidationContext } from 'graphql';

/** Fields of types that lead to lists which lead to types again. */
const LISTS: readonly string[] = ['fields', 'inputFields', 'interfaces', 'possibleTypes'];

/** What a selection set is below of. */
interface Place {
  readonly schema: boolean;
  readonly introspection: boolean;
  readonly list: boolean;
}

/**
 * GraphQL validation rule: an operation reads the schema once. The reply to a nested or aliased question about it would be
 * many times the schema. It expects a document within `sizeLimit` and without fragments in a circle.
 */
export function introspectionLimit(context: ValidationContext): ASTVisitor {
  function faultIn({ selections }: SelectionSetNode, place: Place): string | undefined {
    for (const node of selections) {
      const name = node.kind === Kind.FIELD ? node.name.value : '';
      const schema = place.schema || name === '__schema';
      const introspection = schema || place.introspection || name === '__type';
      const isList = introspection && LISTS.includes(name);
      if (schema && node.kind === Kind.FIELD && node.alias) return '__schema takes no aliases.';
      if (isList && place.list) return 'Introspection does not nest fields of types in each other.';
      const below = node.kind === Kind.FRAGMENT_SPREAD ? context.getFragment(node.name.value) : node;
      const inside = { schema, introspection, list: place.list || isList };
      const fault = below?.selectionSet && faultIn(below.selectionSet, inside);
      if (fault) return fault;
    }
    return undefined;
  }

  return {
    OperationDefinition(node) {
      const fault = faultIn(node.selectionSet, { schema: false, introspection: false, list: false });
      if (fault) context.reportError(new GraphQLError(fault, { nodes: node }));
      return false;
    },
  };
}
