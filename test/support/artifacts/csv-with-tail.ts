/** Returns a CSV file with more rows than an inference reads, followed by the rows in `tail`. */
export const csvWithTail = (tail: string): string =>
  `id,name\n${Array.from({ length: 10_000 }, (_, at) => `${at + 1},Ada\n`).join('')}${tail}`;
