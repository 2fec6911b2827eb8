export const PAGE_SIZE = 50;

/** The first page is 1. */
export function pageVariables(page: number): { limit: number; offset: number } {
  return { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
}
