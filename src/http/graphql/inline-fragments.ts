import { type DocumentNode, type InlineFragmentNode, Kind, visit } from 'graphql';
import { fragmentsOf } from './selected-fields.js';

/**
 * The same document with a copy of the fragment in place of each spread. graphql-jit notes in the nodes of a fragment
 * whether they are included, so a spread that `@skip` excludes would exclude the other spreads of the fragment too.
 */
export function inlineFragments(document: DocumentNode): DocumentNode {
  const fragments = fragmentsOf(document);
  const definitions = document.definitions.filter(({ kind }) => kind !== Kind.FRAGMENT_DEFINITION);
  return visit(
    { ...document, definitions },
    {
      FragmentSpread: ({ name, directives }): InlineFragmentNode | null => {
        const fragment = fragments[name.value];
        if (!fragment) return null; // validation rejects it
        const { typeCondition, selectionSet } = structuredClone(fragment);
        return { kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet, ...(directives && { directives }) };
      },
    },
  );
}
