/**
 * Returns a row with other values for some properties. A copy such as `{ ...row }` would not report reads of columns
 * that the operation did not select, so `npm run check:rows` rejects it.
 */
export function overrideRow<Row extends object, Changes extends object>(row: Row, changes: Changes): Row & Changes {
  return Object.create(row, Object.getOwnPropertyDescriptors(changes));
}
