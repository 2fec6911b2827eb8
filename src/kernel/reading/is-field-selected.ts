import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/**
 * Returns whether the query selects the field `name` of the object whose resolver runs. Ignores the directives
 * `@include` and `@skip`.
 */
export function isFieldSelected({ fieldNodes, fragments }: GraphQLResolveInfo, name: string): boolean {
  const isIn = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((node) => {
      if (node.kind === Kind.FIELD) return node.name.value === name;
      return isIn(node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments[node.name.value]?.selectionSet);
    }) ?? false;
  return fieldNodes.some((node) => isIn(node.selectionSet));
}
