import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** Thrown if breadth-first execution does not support the operation. */
export class Unsupported extends Error {}

export interface SelectedField {
  /** Alias or name of the field, as in the response. */
  readonly key: string;
  /** Undefined for `__typename`. */
  readonly field: GraphQLField<unknown, unknown> | undefined;
  readonly nodes: readonly FieldNode[];
}

export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const isFragment = (node: { kind: Kind }): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION;
  return Object.fromEntries(definitions.filter(isFragment).map((node) => [node.name.value, node]));
}

/** Returns the fields in the order of the response. The document must be valid. Throws `Unsupported`. */
export function selectedFields(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  fragments: Fragments,
): readonly SelectedField[] {
  const found = new Map<string, FieldNode[]>();
  const collect = (node: SelectionNode): void => {
    if (!isIncluded(node)) return;
    if (node.kind === Kind.FIELD) {
      const key = (node.alias ?? node.name).value;
      const nodes = found.get(key);
      if (nodes) nodes.push(node);
      else found.set(key, [node]);
    } else {
      const spread = node.kind === Kind.INLINE_FRAGMENT ? node : fragments[node.name.value];
      for (const inner of spread?.selectionSet.selections ?? []) collect(inner);
    }
  };
  for (const node of sets.flatMap(({ selections }) => selections)) collect(node);
  return [...found].map(([key, nodes]) => {
    const name = (nodes[0] as FieldNode).name.value;
    const field = type.getFields()[name];
    if (!field && name !== '__typename') throw new Unsupported(); // The field belongs to introspection.
    return { key, field, nodes };
  });
}

/** Throws `Unsupported` for a condition that depends on a variable. */
function isIncluded({ directives = [] }: SelectionNode): boolean {
  return directives.every(({ name, arguments: [argument] = [] }) => {
    if (argument?.value.kind !== Kind.BOOLEAN) throw new Unsupported();
    return argument.value.value === (name.value === 'include');
  });
}
