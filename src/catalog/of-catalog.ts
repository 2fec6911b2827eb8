import { Extensions } from 'type-graphql';

/**
 * Marks a field whose resolver reads only definitions, so that all callers receive the same value until the catalog
 * revision changes. The service caches responses that contain only such fields.
 */
export const OfCatalog = () => Extensions({ ofCatalog: true });

export function isOfCatalog({ extensions }: { readonly extensions: object }): boolean {
  return (extensions as { ofCatalog?: boolean }).ofCatalog === true;
}
