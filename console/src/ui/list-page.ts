export const PAGE_SIZE = 50;

/** Page numbers start at 1. */
export function pageVariables(page: number): { limit: number; offset: number } {
  return { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
}
