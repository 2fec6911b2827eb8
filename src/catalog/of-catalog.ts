import { Extensions } from 'type-graphql';

/**
 * Marks a field whose resolver reads only definitions, so that its value is the same for all callers until the catalog
 * revision changes. The service caches a response if all of its fields have this mark.
 */
export const OfCatalog = () => Extensions({ ofCatalog: true });

export function isOfCatalog({ extensions }: { readonly extensions: object }): boolean {
  return (extensions as { ofCatalog?: boolean }).ofCatalog === true;
}
