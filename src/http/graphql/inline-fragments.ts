import { type DocumentNode, type InlineFragmentNode, Kind, visit } from 'graphql';
import { fragmentsOf } from './selected-fields.js';

/**
 * Returns the document with a copy of the fragment in place of each spread. graphql-jit marks the nodes of a fragment
 * as included or excluded. With a shared fragment, a spread that `@skip` excludes would also exclude the other spreads.
 */
export function inlineFragments(document: DocumentNode): DocumentNode {
  const fragments = fragmentsOf(document);
  const definitions = document.definitions.filter(({ kind }) => kind !== Kind.FRAGMENT_DEFINITION);
  return visit(
    { ...document, definitions },
    {
      FragmentSpread: ({ name, directives }): InlineFragmentNode | null => {
        const fragment = fragments[name.value];
        if (!fragment) return null; // Validation rejects an unknown fragment.
        const { typeCondition, selectionSet } = structuredClone(fragment);
        return { kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet, ...(directives && { directives }) };
      },
    },
  );
}
