import { type ASTVisitor, GraphQLError, Kind, type SelectionSetNode, type ValidationContext } from 'graphql';

/** Introspection fields whose items lead to further types. */
const LISTS: readonly string[] = ['fields', 'inputFields', 'interfaces', 'possibleTypes'];

/**
 * For a selection set: whether it is inside `__schema`, inside any introspection field, and inside a field of `LISTS`.
 */
interface Place {
  readonly schema: boolean;
  readonly introspection: boolean;
  readonly list: boolean;
}

/**
 * Lets an operation read the schema only once. Nested or aliased introspection could return many times the size of the
 * schema. The document must be within `sizeLimit` and must not have cyclic fragments.
 */
export function introspectionLimit(context: ValidationContext): ASTVisitor {
  function faultIn({ selections }: SelectionSetNode, place: Place): string | undefined {
    for (const node of selections) {
      const name = node.kind === Kind.FIELD ? node.name.value : '';
      const schema = place.schema || name === '__schema';
      const introspection = schema || place.introspection || name === '__type';
      const isList = introspection && LISTS.includes(name);
      if (schema && node.kind === Kind.FIELD && node.alias)
        return '__schema and the fields below it must not have aliases.';
      if (isList && place.list) return `Introspection must not nest the lists ${LISTS.join(', ')} in each other.`;
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
