import { Extensions } from 'type-graphql';

/**
 * Marks a field whose resolver reads only definitions: its value is the same for all callers that may read it, until
 * the catalog revision changes. A response is cached if all of its fields are marked.
 */
export const OfCatalog = () => Extensions({ ofCatalog: true });

export function isOfCatalog({ extensions }: { readonly extensions: object }): boolean {
  return (extensions as { ofCatalog?: boolean }).ofCatalog === true;
}
