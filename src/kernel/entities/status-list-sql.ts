/** Values of an enumeration, for `in (…)` in SQL. */
export function statusListSql(statuses: readonly string[]): string {
  return statuses.map((status) => `'${status}'`).join(', ');
}
