/** Approximate maximum size of a table file. */
export const MAX_FILE_BYTES = 128 * 2 ** 20;

/** Splits a list into consecutive parts of at most `maxBytes`. An item that exceeds `maxBytes` forms its own part. */
export function splitBySize<Item extends { readonly bytes: number }>(
  items: readonly Item[],
  maxBytes = MAX_FILE_BYTES,
): Item[][] {
  const groups: Item[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    size += item.bytes;
    if (size > maxBytes) {
      groups.push([]);
      size = item.bytes;
    }
    groups.at(-1)?.push(item);
  }
  return groups;
}
