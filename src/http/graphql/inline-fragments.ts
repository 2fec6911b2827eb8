import { type DocumentNode, type InlineFragmentNode, Kind, visit } from 'graphql';
import { fragmentsOf } from './selected-fields.js';

/**
 * Replaces each spread with a copy of its fragment. graphql-jit marks the nodes of a fragment as included or excluded.
 * Without copies, a spread that `@skip` excludes would also exclude the other spreads of the fragment.
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
