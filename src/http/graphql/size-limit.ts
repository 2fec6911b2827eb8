import { type ASTVisitor, GraphQLError, Kind, type SelectionSetNode, type ValidationContext } from 'graphql';

/**
 * Maximum number of selected fields and fragments of an operation, including introspection fields. The content of a
 * fragment counts at each of its spreads. The introspection query of GraphiQL counts as 210.
 */
const MAX_FIELDS = 1_000;

/** With many aliases of an expensive field, a small query could return a large response. */
const MAX_ALIASES = 20;

interface Size {
  readonly fields: number;
  readonly aliases: number;
}

const NOTHING: Size = { fields: 0, aliases: 0 };

/** Measures a fragment once, even if the operation spreads it several times. */
export function sizeLimit(context: ValidationContext): ASTVisitor {
  const sizes = new Map<string, Size>();

  function fragmentSize(name: string): Size {
    const known = sizes.get(name);
    if (known) return known;
    sizes.set(name, NOTHING); // Ends the recursion for cyclic spreads, which another rule rejects.
    const fragment = context.getFragment(name);
    const size = fragment ? sizeOf(fragment.selectionSet) : NOTHING;
    sizes.set(name, size);
    return size;
  }

  function sizeOf({ selections }: SelectionSetNode): Size {
    let fields = 0;
    let aliases = 0;
    for (const node of selections) {
      fields += 1;
      if (node.kind === Kind.FIELD && node.alias) aliases += 1;
      const below =
        node.kind === Kind.FRAGMENT_SPREAD
          ? fragmentSize(node.name.value)
          : node.selectionSet && sizeOf(node.selectionSet);
      fields += below?.fields ?? 0;
      aliases += below?.aliases ?? 0;
    }
    return { fields, aliases };
  }

  return {
    OperationDefinition(node) {
      const { fields, aliases } = sizeOf(node.selectionSet);
      const refuse = (sentence: string) => context.reportError(new GraphQLError(sentence, { nodes: node }));
      if (fields > MAX_FIELDS) refuse(`The operation selects more than ${MAX_FIELDS} fields and fragments.`);
      if (aliases > MAX_ALIASES) refuse(`The operation has more than ${MAX_ALIASES} aliases.`);
      return false;
    },
  };
}
