/** An inference reads the first 10,000 rows, and therefore not the tail. */
export const csvWithTail = (tail: string): string =>
  `id,name\n${Array.from({ length: 10_000 }, (_, at) => `${at + 1},Ada\n`).join('')}${tail}`;
