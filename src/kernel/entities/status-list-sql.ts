/** SQL text of a list of enumeration values, for `in (…)`. */
export function statusListSql(statuses: readonly string[]): string {
  return statuses.map((status) => `'${status}'`).join(', ');
}
