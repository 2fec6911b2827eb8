import { Extensions } from 'type-graphql';

/**
 * Marks a field whose resolver reads only definitions. All callers that may read the field receive the same value until
 * the catalog revision changes. The service caches a response if all of its fields have this mark.
 */
export const OfCatalog = () => Extensions({ ofCatalog: true });

export function isOfCatalog({ extensions }: { readonly extensions: object }): boolean {
  return (extensions as { ofCatalog?: boolean }).ofCatalog === true;
}
