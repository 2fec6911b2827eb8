/**
 * A row with different values for some properties. Unlike `{ ...row }`, it reports reads of columns that the operation
 * did not select. `npm run check:rows` rejects copies of rows.
 */
export function overrideRow<Row extends object, Changes extends object>(row: Row, changes: Changes): Row & Changes {
  return Object.create(row, Object.getOwnPropertyDescriptors(changes));
}
