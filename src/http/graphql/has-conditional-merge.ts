import { type DocumentNode, Kind, type SelectionSetNode, visit } from 'graphql';

/**
 * Returns whether graphql-jit may return fields of excluded fragments. This is possible if the document contains
 * `@include` or `@skip`, and two fields with subfields have the same response name at the same place. The document must
 * not contain named fragments.
 */
export function hasConditionalMerge(document: DocumentNode): boolean {
  let isConditional = false;
  visit(document, {
    Directive: ({ name }) => {
      isConditional ||= name.value === 'include' || name.value === 'skip';
    },
  });
  return isConditional && document.definitions.some((node) => 'selectionSet' in node && merges([node.selectionSet]));
}

function merges(sets: readonly (SelectionSetNode | undefined)[]): boolean {
  const found = new Map<string, SelectionSetNode[]>();
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet);
      if (node.kind !== Kind.FIELD || !node.selectionSet) continue;
      const key = (node.alias ?? node.name).value;
      const others = found.get(key);
      if (others) others.push(node.selectionSet);
      else found.set(key, [node.selectionSet]);
    }
  };
  for (const set of sets) collect(set);
  return [...found.values()].some((below) => below.length > 1 || merges(below));
}
