/** Number of rows on a page of a list. */
export const PAGE_SIZE = 50;

/** Returns the variables of a query for a page of a list. The first page is 1. */
export function pageVariables(page: number): { limit: number; offset: number } {
  return { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
}
